//! Messages and items as one line of text, so that tests compare what a reader can check.

use acp_codec::{Frame, FrameDecoder, Item, Message};
use acp_vocab::RequestId;

pub(crate) fn message(message: &Message<'_>) -> String {
    match message {
        Message::Request { id, method, params } => {
            format!(
                "request {} {} {}",
                json(id),
                method.escape_debug(),
                params.map_or("-", |raw| raw.get())
            )
        }
        Message::Notification { method, params } => {
            format!(
                "notification {} {}",
                method.escape_debug(),
                params.map_or("-", |raw| raw.get())
            )
        }
        Message::Response { id, outcome } => match outcome {
            Ok(result) => format!("result {} {}", json(id), result.get()),
            Err(error) => {
                let data = error.data.as_ref().map_or("-", |raw| raw.get());
                format!(
                    "error {} {} {:?} {data}",
                    json(id),
                    error.code.0,
                    error.message
                )
            }
        },
        Message::Malformed { id, fault } => format!("malformed {} {fault}", json(id)),
        other => format!("{other:?}"),
    }
}

fn json(id: &RequestId) -> String {
    serde_json::to_string(id).expect("an id is JSON")
}

/// An item without what depends on how the bytes were cut.
pub(crate) fn item(item: &Item<'_>) -> String {
    match item {
        Item::Frame(frame) => format!("{} {}", frame.at.line, message(&frame.message)),
        Item::Skipped { kind, at, len, .. } => format!("{} skipped {} {len}", at.line, kind.name()),
        Item::TooLong { at, limit, .. } => format!("{} over {limit}", at.line),
        other => format!("{other:?}"),
    }
}

/// An item with the offset of its line.
pub(crate) fn placed(found: &Item<'_>) -> String {
    let offset = match found {
        Item::Frame(Frame { at, .. }) | Item::Skipped { at, .. } | Item::TooLong { at, .. } => {
            at.offset
        }
        _ => u64::MAX,
    };
    format!("{offset}: {}", item(found))
}

/// Everything a decoder finds in a stream that comes in these chunks.
pub(crate) fn stream<'a>(
    decoder: &mut FrameDecoder,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<String> {
    let mut items = Vec::new();
    for chunk in chunks {
        decoder.feed(chunk);
        while let Some(found) = decoder.poll() {
            items.push(item(&found));
        }
    }
    items.extend(decoder.finish().as_ref().map(item));
    items
}
