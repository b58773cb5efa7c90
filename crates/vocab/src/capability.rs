//! Capabilities that both versions write in the same way.
//!
//! A marker is an object: present, even empty, is yes; absent and `null` are no.

use crate::wire::macros::wire_struct;

wire_struct! {
    /// Name and version of one side.
    pub struct Implementation: S / S [meta] {
        /// The name.
        required name: Box<str> = "name": S / S,
        /// The version, in whatever form.
        required version: Box<str> = "version": S / S,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
    }
    new(name: Box<str>, version: Box<str>);
}

wire_struct! {
    /// What an agent can do about login. In version 2 logging in and out is promised by a
    /// non-empty list of methods instead.
    pub struct AgentAuthCapabilities: S / S [meta more] {
        /// `auth/status`.
        lenient status: Option<AuthStatusCapabilities> = "status": U / U,
        /// `logout` (version 1).
        lenient logout: Option<LogoutCapabilities> = "logout": S / N,
    }
    new();
}

wire_struct! {
    /// The agent answers `auth/status`.
    pub struct AuthStatusCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `logout`.
    pub struct LogoutCapabilities: S / N [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent lets the client set up providers of models.
    pub struct ProvidersCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// How an agent may ask the user. An empty object allows nothing.
    pub struct ElicitationCapabilities: S / S [meta more] {
        /// Forms.
        lenient form: Option<ElicitationFormCapabilities> = "form": S / S,
        /// Where it is.
        lenient url: Option<ElicitationUrlCapabilities> = "url": S / S,
    }
    new();
}

wire_struct! {
    /// The client shows forms.
    pub struct ElicitationFormCapabilities: S / S [meta more] {
    }
    new();
}

wire_struct! {
    /// The client opens URLs, after asking.
    pub struct ElicitationUrlCapabilities: S / S [meta more] {
    }
    new();
}

wire_struct! {
    /// The client shows prompts that the agent suggests.
    pub struct PromptSuggestionsCapabilities: CU / CU [meta more] {
        /// Images.
        lenient image: Option<PromptSuggestionsImageCapabilities> = "image": CU / CU,
        /// Sound.
        lenient audio: Option<PromptSuggestionsAudioCapabilities> = "audio": CU / CU,
        /// Resources with their contents.
        lenient embedded_context: Option<PromptSuggestionsEmbeddedContextCapabilities> = "embeddedContext": CU / CU,
    }
    new();
}

wire_struct! {
    /// Suggested prompts may hold images.
    pub struct PromptSuggestionsImageCapabilities: CU / CU [meta more] {
    }
    new();
}

wire_struct! {
    /// Suggested prompts may hold sound.
    pub struct PromptSuggestionsAudioCapabilities: CU / CU [meta more] {
    }
    new();
}

wire_struct! {
    /// Suggested prompts may hold resources.
    pub struct PromptSuggestionsEmbeddedContextCapabilities: CU / CU [meta more] {
    }
    new();
}
