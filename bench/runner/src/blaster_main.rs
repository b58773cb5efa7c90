//! The blasting agent as a program: `blaster updates 200000 first`.
use bench_runner::blaster::{Scene, serve};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let scene = Scene::parse(&args).ok_or_else(|| std::io::Error::other("updates N first|last|named|v2, roundtrip, permission N or big N"))?;
    serve(scene, std::io::stdin().lock(), std::io::stdout().lock())
}
