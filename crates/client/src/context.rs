//! Prepared context beside the user's own words.

use acp_handshake::Agreement;
use acp_vocab::{ContentBlock, EmbeddedResource, EmbeddedResourceResource, TextResourceContents};

use crate::prompt::Prompt;

/// Text that a host has prepared for the agent: what is open in an editor, what a command printed.
///
/// Nothing is read or fetched for it: the name is a label, and the URI of the block is made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    uri: Box<str>,
    media_type: Option<Box<str>>,
    text: Box<str>,
}

impl Context {
    /// A text and the URI under which the agent is told of it; nothing is resolved.
    pub fn new(uri: impl Into<Box<str>>, text: impl Into<Box<str>>) -> Self {
        Self {
            uri: uri.into(),
            media_type: None,
            text: text.into(),
        }
    }

    /// Says what kind of text it is.
    #[must_use]
    pub fn media_type(mut self, media_type: impl Into<Box<str>>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    /// As the agent takes it: an embedded resource where it does, else a text block of its own.
    fn block(&self, agreement: &Agreement) -> ContentBlock {
        let capability = if agreement.version().0 < 2 {
            "promptCapabilities.embeddedContext"
        } else {
            "session.prompt.embeddedContext"
        };
        if !agreement.advertises(capability) {
            return ContentBlock::text(&*self.text);
        }
        let mut contents = TextResourceContents::new(self.text.clone(), self.uri.clone());
        contents.mime_type.clone_from(&self.media_type);
        let resource = EmbeddedResourceResource::Text(contents);
        ContentBlock::Resource(EmbeddedResource::new(resource).into())
    }
}

impl Prompt {
    /// Prepared context in its order, then the user's own blocks, unchanged.
    ///
    /// ```
    /// # fn with(agreement: &acp_handshake::Agreement) {
    /// use acp_client::{Context, Prompt};
    ///
    /// let open = Context::new("file:///work/a.rs", "fn main() {}").media_type("text/x-rust");
    /// let prompt = Prompt::from("what does it do?").beside(&[open], agreement);
    /// # let _ = prompt;
    /// # }
    /// ```
    #[must_use]
    pub fn beside(self, context: &[Context], agreement: &Agreement) -> Self {
        let prepared = context.iter().map(|part| part.block(agreement));
        Self::new(prepared.chain(self.into_blocks()))
    }
}
