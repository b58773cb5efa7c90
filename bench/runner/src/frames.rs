//! The frames an agent blasts, and the hash that proves each one arrived, once and in order.

/// Where `sessionUpdate` stands in the update object: first for most agents, last for the Python ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagOrder {
    First,
    Last,
    /// First, and the message has an id, as version 2 asks.
    Named,
}

/// Text of update `i`: the line it makes is about 200 bytes long.
#[must_use]
pub fn chunk_text(i: u64) -> String {
    format!("{i:08} the quick brown fox jumps over the lazy dog 0123456789")
}

/// One `agent_message_chunk` line without its newline.
#[must_use]
pub fn chunk_line(i: u64, order: TagOrder) -> String {
    let content = format!(r#""content":{{"type":"text","text":"{}"}}"#, chunk_text(i));
    let tag = r#""sessionUpdate":"agent_message_chunk""#;
    let update = match order {
        TagOrder::First => format!("{tag},{content}"),
        TagOrder::Named => format!(r#"{tag},"messageId":"m1",{content}"#),
        TagOrder::Last => format!("{content},{tag}"),
    };
    format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s1","update":{{{update}}}}}}}"#)
}

/// Text of big frame `i`: 1 MiB of printable ASCII.
#[must_use]
pub fn big_text(i: u64) -> String {
    let mut text = format!("{i:08} ");
    while text.len() < 1 << 20 {
        text.push_str("0123456789abcdefghijklmnopqrstuvwxyz line of a tool's output; ");
    }
    text.truncate(1 << 20);
    text
}

/// One `tool_call_update` line of 1 MiB.
#[must_use]
pub fn big_line(i: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s1","update":{{"sessionUpdate":"tool_call_update","toolCallId":"t1","content":[{{"type":"content","content":{{"type":"text","text":"{}"}}}}]}}}}}}"#,
        big_text(i)
    )
}

/// FNV-1a over every text, in order.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64, u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325, 0)
    }
}

impl Digest {
    /// Takes the next text. Eight bytes a step, so that checking costs both sides next to nothing.
    pub fn add(&mut self, text: &str) {
        let mut hash = self.0;
        let mut words = text.as_bytes().chunks_exact(8);
        for word in &mut words {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        }
        for byte in words.remainder() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.0 = hash;
        self.1 += 1;
    }

    /// How many texts, and their hash.
    #[must_use]
    pub fn finish(self) -> (u64, u64) {
        (self.1, self.0)
    }
}

/// What a side must have seen.
#[must_use]
pub fn expected(text: fn(u64) -> String, count: u64) -> (u64, u64) {
    let mut digest = Digest::default();
    for i in 0..count {
        digest.add(&text(i));
    }
    digest.finish()
}
