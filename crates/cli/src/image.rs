//! An image from a file, as a block of a prompt.

use std::{fs, io::Read as _, path::Path};

use acp_harness::vocab::{ContentBlock, ImageContent};

use crate::{base64, hiargs::Misuse, safe};

/// How large an image may be: in base64 it still fits a line that every peer reads.
const MAX_BYTES: u64 = 20 << 20;

/// Reads it. What kind it is stands in its first bytes; its name does not matter.
pub(crate) fn block(path: &Path) -> Result<ContentBlock, Misuse> {
    let shown = safe::line(&path.to_string_lossy(), 200);
    let unusable = |why: &str| Misuse::new(format!("--image {shown} {why}"));
    let mut bytes = Vec::new();
    let read =
        fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return Err(unusable(&format!("cannot be read: {error}")));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(unusable("is larger than 20 MiB"));
    }
    let Some(kind) = kind(&bytes) else {
        return Err(unusable("is no PNG, JPEG, GIF or WebP image"));
    };
    Ok(ContentBlock::Image(
        ImageContent::new(base64::encode(&bytes), kind).into(),
    ))
}

fn kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn a_kind_is_read_from_the_first_bytes() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(kind(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(kind(b"GIF89a"), Some("image/gif"));
        assert_eq!(kind(b"RIFF1234WEBPVP8"), Some("image/webp"));
        assert_eq!(kind(b"<svg/>"), None);
        assert_eq!(kind(b""), None);
    }
}
