//! As much of HTTP/1.1 as a model server needs: one request a connection, a body that ends with it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::Piece;

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";

/// Between two pieces of a slow answer.
const PAUSE: Duration = Duration::from_millis(100);

/// The longest silence: nothing is left running for ever.
const SILENCE: Duration = Duration::from_secs(120);

/// The largest request, and the longest line of its head.
const LARGEST: u64 = 64 << 20;

/// Answers one request.
pub(super) fn serve(
    stream: TcpStream,
    answer: impl FnOnce(&str, &Value) -> (&'static str, Vec<Piece>),
) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?.take(LARGEST));
    let (path, body) = read(&mut reader)?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let (kind, pieces) = answer(&path, &body);
    let mut writer = &stream;
    write!(
        writer,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncache-control: no-cache\r\nconnection: close\r\n\r\n"
    )?;
    for piece in pieces {
        match piece {
            Piece::Bytes(text) => writer.write_all(text.as_bytes())?,
            Piece::Pause if hung_up(&stream, PAUSE)? => return Ok(()),
            Piece::Silence if hung_up(&stream, SILENCE)? => return Ok(()),
            Piece::Pause | Piece::Silence => {}
        }
    }
    stream.shutdown(Shutdown::Write)
}

/// The path and the body of a request.
fn read(reader: &mut impl BufRead) -> io::Result<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = value.contains("chunked"),
            _ => {}
        }
    }
    let mut body = Vec::new();
    if !chunked {
        reader.take(length).read_to_end(&mut body)?;
        return Ok((path, body));
    }
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
        reader.by_ref().take(size).read_to_end(&mut body)?;
        line.clear();
        reader.read_line(&mut line)?;
        if size == 0 {
            return Ok((path, body));
        }
    }
}

/// Whether the reader hangs up within this time.
fn hung_up(stream: &TcpStream, within: Duration) -> io::Result<bool> {
    stream.set_read_timeout(Some(within))?;
    match stream.peek(&mut [0]) {
        Ok(read) => Ok(read == 0),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
            ) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, path: &str, body: &str) {
        let (got, bytes) = read(&mut request.as_bytes()).unwrap();
        assert_eq!((got.as_str(), bytes.as_slice()), (path, body.as_bytes()));
    }

    #[test]
    fn a_request_has_a_path_and_a_body() {
        check(
            "GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
            "/v1/models",
            "",
        );
        check(
            "POST /v1/messages HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}and more",
            "/v1/messages",
            "{}",
        );
        check(
            "POST /x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n5;x\r\n\":1 }\r\n0\r\n\r\n",
            "/x",
            "{\"a\":1 }",
        );
    }
}
