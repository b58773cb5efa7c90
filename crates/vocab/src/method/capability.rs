//! Which capability opens which methods and updates.

use super::{CapabilityMethods, Form, Method, Side, Stability};
use crate::version::ProtocolVersion;

/// `path: Form, stability, [METHODS], [updates];` for one side and one version.
macro_rules! capabilities {
    ($($side:ident $version:ident $path:literal: $form:ident, $stability:ident,
        [$($method:ident),*], [$($update:literal),*];)*) => {
        &[$(CapabilityMethods {
            side: Side::$side,
            version: ProtocolVersion::$version,
            path: $path,
            form: Form::$form,
            stability: Stability::$stability,
            methods: &[$(Method::$method),*],
            updates: &[$($update),*],
        },)*]
    };
}

/// Every capability of both sides in both versions, with what it opens.
///
/// A side that sets a flag must handle the methods of its row (its own, and for a client the
/// updates too), and a side that handles one of them must set the flag. Rows without methods say
/// what may stand inside other messages.
pub const CAPABILITY_METHODS: &[CapabilityMethods] = capabilities! {
    Agent V1 "agentCapabilities.loadSession": Flag, Stable,
        [SESSION_LOAD], [];
    Agent V1 "agentCapabilities.promptCapabilities": Group, Stable,
        [], [];
    Agent V1 "agentCapabilities.promptCapabilities.image": Flag, Stable,
        [], [];
    Agent V1 "agentCapabilities.promptCapabilities.audio": Flag, Stable,
        [], [];
    Agent V1 "agentCapabilities.promptCapabilities.embeddedContext": Flag, Stable,
        [], [];
    Agent V1 "agentCapabilities.mcpCapabilities": Group, Stable,
        [], [];
    Agent V1 "agentCapabilities.mcpCapabilities.http": Flag, Stable,
        [], [];
    Agent V1 "agentCapabilities.mcpCapabilities.sse": Flag, Stable,
        [], [];
    Agent V1 "agentCapabilities.mcpCapabilities.acp": Flag, Unstable,
        [MCP_MESSAGE], [];
    Agent V1 "agentCapabilities.sessionCapabilities": Group, Stable,
        [], [];
    Agent V1 "agentCapabilities.sessionCapabilities.list": Marker, Stable,
        [SESSION_LIST], [];
    Agent V1 "agentCapabilities.sessionCapabilities.delete": Marker, Stable,
        [SESSION_DELETE], [];
    Agent V1 "agentCapabilities.sessionCapabilities.additionalDirectories": Marker, Stable,
        [], [];
    Agent V1 "agentCapabilities.sessionCapabilities.systemPrompt": Marker, Stabilized,
        [], [];
    Agent V1 "agentCapabilities.sessionCapabilities.systemPrompt.mode": Marker, Stabilized,
        [], [];
    Agent V1 "agentCapabilities.sessionCapabilities.systemPrompt.mode.override": Marker, Stabilized,
        [], [];
    Agent V1 "agentCapabilities.sessionCapabilities.fork": Marker, Unstable,
        [SESSION_FORK], [];
    Agent V1 "agentCapabilities.sessionCapabilities.archive": Marker, Unstable,
        [SESSION_ARCHIVE, SESSION_UNARCHIVE], [];
    Agent V1 "agentCapabilities.sessionCapabilities.status": Marker, Unstable,
        [SESSION_STATUS], [];
    Agent V1 "agentCapabilities.sessionCapabilities.options": Marker, UnstableInCrate,
        [SESSION_OPTIONS], [];
    Agent V1 "agentCapabilities.sessionCapabilities.title": Marker, Unstable,
        [SESSION_SET_TITLE], [];
    Agent V1 "agentCapabilities.sessionCapabilities.resume": Marker, Stable,
        [SESSION_RESUME], [];
    Agent V1 "agentCapabilities.sessionCapabilities.close": Marker, Stable,
        [SESSION_CLOSE], [];
    Agent V1 "agentCapabilities.auth": Group, Stable,
        [], [];
    Agent V1 "agentCapabilities.auth.status": Marker, Unstable,
        [AUTH_STATUS, AUTH_STATUS_UPDATE], [];
    Agent V1 "agentCapabilities.auth.logout": Marker, Stable,
        [LOGOUT], [];
    Agent V1 "agentCapabilities.providers": Marker, Unstable,
        [PROVIDERS_LIST, PROVIDERS_SET, PROVIDERS_DISABLE], [];
    Client V1 "clientCapabilities.fs": Group, Stable,
        [], [];
    Client V1 "clientCapabilities.fs.readTextFile": Flag, Stable,
        [FS_READ_TEXT_FILE], [];
    Client V1 "clientCapabilities.fs.writeTextFile": Flag, Stable,
        [FS_WRITE_TEXT_FILE], [];
    Client V1 "clientCapabilities.terminal": Flag, Stable,
        [TERMINAL_CREATE, TERMINAL_OUTPUT, TERMINAL_RELEASE, TERMINAL_WAIT_FOR_EXIT, TERMINAL_KILL], [];
    Client V1 "clientCapabilities.session": Group, Stable,
        [], [];
    Client V1 "clientCapabilities.session.compaction": Marker, Stable,
        [], ["compaction_update", "compaction_summary_chunk"];
    Client V1 "clientCapabilities.session.configOptions": Group, Stable,
        [], [];
    Client V1 "clientCapabilities.session.configOptions.boolean": Marker, Stable,
        [], [];
    Client V1 "clientCapabilities.session.notices": Marker, Stable,
        [], ["notice"];
    Client V1 "clientCapabilities.session.promptSuggestions": Marker, UnstableInCrate,
        [], ["prompt_suggestions_update"];
    Client V1 "clientCapabilities.session.promptSuggestions.image": Marker, UnstableInCrate,
        [], [];
    Client V1 "clientCapabilities.session.promptSuggestions.audio": Marker, UnstableInCrate,
        [], [];
    Client V1 "clientCapabilities.session.promptSuggestions.embeddedContext": Marker, UnstableInCrate,
        [], [];
    Client V1 "clientCapabilities.session.cursors": Marker, UnstableInCrate,
        [], ["cursor_update"];
    Client V1 "clientCapabilities.subagents": Marker, Stabilized,
        [], ["subagent_update", "session_message", "session_message_chunk"];
    Client V1 "clientCapabilities.plan": Marker, Stabilized,
        [], ["plan_update", "plan_removed"];
    Client V1 "clientCapabilities.auth": Group, Stable,
        [], [];
    Client V1 "clientCapabilities.auth.terminal": Flag, Stable,
        [], [];
    Client V1 "clientCapabilities.elicitation": Group, Stable,
        [], [];
    Client V1 "clientCapabilities.elicitation.form": Marker, Stable,
        [ELICITATION_CREATE], [];
    Client V1 "clientCapabilities.elicitation.url": Marker, Stable,
        [ELICITATION_CREATE, ELICITATION_COMPLETE], [];
    Agent V2 "capabilities.session": Marker, Stable,
        [SESSION_NEW, SESSION_LIST, SESSION_RESUME, SESSION_CLOSE, SESSION_PROMPT, SESSION_CANCEL, SESSION_UPDATE], [];
    Agent V2 "capabilities.session.prompt": Group, Stable,
        [], [];
    Agent V2 "capabilities.session.prompt.image": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.prompt.audio": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.prompt.embeddedContext": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.prompt.skill": Marker, UnstableInCrate,
        [], [];
    Agent V2 "capabilities.session.prompt.skill.inline": Marker, UnstableInCrate,
        [], [];
    Agent V2 "capabilities.session.mcp": Group, Stable,
        [], [];
    Agent V2 "capabilities.session.mcp.stdio": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.mcp.http": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.mcp.acp": Marker, Unstable,
        [MCP_MESSAGE], [];
    Agent V2 "capabilities.session.delete": Marker, Stable,
        [SESSION_DELETE], [];
    Agent V2 "capabilities.session.additionalDirectories": Marker, Stable,
        [], [];
    Agent V2 "capabilities.session.systemPrompt": Marker, Stabilized,
        [], [];
    Agent V2 "capabilities.session.systemPrompt.mode": Marker, Stabilized,
        [], [];
    Agent V2 "capabilities.session.systemPrompt.mode.override": Marker, Stabilized,
        [], [];
    Agent V2 "capabilities.session.fork": Marker, Unstable,
        [SESSION_FORK], [];
    Agent V2 "capabilities.session.archive": Marker, Unstable,
        [SESSION_ARCHIVE, SESSION_UNARCHIVE], [];
    Agent V2 "capabilities.session.status": Marker, Unstable,
        [SESSION_STATUS], [];
    Agent V2 "capabilities.session.options": Marker, UnstableInCrate,
        [SESSION_OPTIONS], [];
    Agent V2 "capabilities.session.title": Marker, Unstable,
        [SESSION_SET_TITLE], [];
    Agent V2 "capabilities.auth": Group, Stable,
        [], [];
    Agent V2 "capabilities.auth.status": Marker, Unstable,
        [AUTH_STATUS, AUTH_STATUS_UPDATE], [];
    Agent V2 "capabilities.providers": Marker, Unstable,
        [PROVIDERS_LIST, PROVIDERS_SET, PROVIDERS_DISABLE], [];
    Client V2 "capabilities.auth": Group, Stable,
        [], [];
    Client V2 "capabilities.auth.terminal": Marker, Stable,
        [], [];
    Client V2 "capabilities.elicitation": Group, Stable,
        [], [];
    Client V2 "capabilities.elicitation.form": Marker, Stable,
        [ELICITATION_CREATE], [];
    Client V2 "capabilities.elicitation.url": Marker, Stable,
        [ELICITATION_CREATE, ELICITATION_COMPLETE], [];
    Client V2 "capabilities.session": Group, UnstableInCrate,
        [], [];
    Client V2 "capabilities.session.promptSuggestions": Marker, UnstableInCrate,
        [], ["prompt_suggestions_update"];
    Client V2 "capabilities.session.promptSuggestions.image": Marker, UnstableInCrate,
        [], [];
    Client V2 "capabilities.session.promptSuggestions.audio": Marker, UnstableInCrate,
        [], [];
    Client V2 "capabilities.session.promptSuggestions.embeddedContext": Marker, UnstableInCrate,
        [], [];
    Client V2 "capabilities.session.commands": Group, UnstableInCrate,
        [], [];
    Client V2 "capabilities.session.commands.skill": Marker, UnstableInCrate,
        [], [];
};
