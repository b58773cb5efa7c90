//! What is measured, from the kernel and from a counting allocator.
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts every allocation of the process it is installed in.
pub struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size.saturating_sub(layout.size()) as u64, Relaxed);
        unsafe { System.realloc(ptr, layout, size) }
    }
}

/// Allocations and bytes so far.
#[must_use]
pub fn allocations() -> (u64, u64) {
    (CALLS.load(Relaxed), BYTES.load(Relaxed))
}

/// CPU seconds this process has used, children not counted.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// A line of `/proc/self/status` in KiB: `VmHWM` (peak) or `VmRSS` (now).
#[must_use]
pub fn memory_kib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|line| line.starts_with(field))
        .and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or_default()
}

/// Median and 99th percentile.
#[must_use]
pub fn percentiles(values: &mut [u64]) -> (u64, u64) {
    values.sort_unstable();
    let at = |share: f64| values.get(((values.len() as f64 - 1.0) * share) as usize).copied().unwrap_or_default();
    (at(0.5), at(0.99))
}

/// Wall, CPU and allocations between two points of a run.
#[derive(Debug)]
pub struct Meter {
    wall: std::time::Instant,
    cpu: f64,
    calls: u64,
    bytes: u64,
    idle_kib: u64,
}

impl Meter {
    /// Starts now; the memory in use now counts as idle.
    #[must_use]
    pub fn start() -> Self {
        let (calls, bytes) = allocations();
        Self { idle_kib: memory_kib("VmRSS"), calls, bytes, cpu: cpu_seconds(), wall: std::time::Instant::now() }
    }

    /// Prints one result line: `key=value` pairs that the runner reads.
    pub fn report(&self, frames: u64, digest: (u64, u64), latency: Option<(u64, u64)>) {
        let (calls, bytes) = allocations();
        let (p50, p99) = latency.unwrap_or_default();
        println!(
            "frames={frames} count={} hash={} wall={} cpu={} allocs={} bytes={} idle={} peak={} p50={p50} p99={p99}",
            digest.0,
            digest.1,
            self.wall.elapsed().as_secs_f64(),
            cpu_seconds() - self.cpu,
            calls - self.calls,
            bytes - self.bytes,
            self.idle_kib,
            memory_kib("VmHWM"),
        );
    }
}
