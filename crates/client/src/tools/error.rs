//! Why a declaration of tool servers is not taken: a rule and a place, and nothing of what stands
//! there.

use std::fmt;

/// A declaration that is not taken. `Display` and [`code`](Self::code) hold the rule and the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{rule}", Place(*server))]
pub struct ToolsError {
    /// Which server, from 1.
    pub(super) server: Option<usize>,
    pub(super) rule: ToolsRule,
}

/// The rule that a declaration breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsRule {
    /// It is too long.
    #[error("the declaration is longer than 64 KiB")]
    TooLarge,
    /// It is no JSON, or says a member twice.
    #[error("the declaration is not JSON, or has a member twice")]
    NotJson,
    /// It is neither of the two forms.
    #[error("the declaration is neither {{\"mcpServers\": ...}} nor a list of servers")]
    BadForm,
    /// It has too many servers.
    #[error("more than 8 servers are declared")]
    TooMany,
    /// A server is no object, or a member of it is of the wrong type.
    #[error("it is not an object with the members of a server")]
    BadServer,
    /// A server has a member that is not known, so that what it was meant to do is not known.
    #[error("it has a member that is not known")]
    UnknownMember,
    /// The name cannot be used.
    #[error(
        "its name is missing, too long or not made of letters, digits, `_`, `-`, `.` and spaces"
    )]
    BadName,
    /// The name is taken by this program or by agents.
    #[error("its name is reserved")]
    ReservedName,
    /// Two servers have one name.
    #[error("its name is used twice")]
    SameName,
    /// The transport is none that can be declared.
    #[error("its type is neither stdio nor http")]
    BadType,
    /// The program is not named by an absolute path.
    #[error("its command is not an absolute path of a program")]
    NotAbsolute,
    /// The arguments cannot be used.
    #[error("its arguments are too many, too long or no texts")]
    BadArguments,
    /// The environment cannot be used.
    #[error(
        "its environment has too many variables, or one that is too long or has no proper name"
    )]
    BadEnvironment,
    /// A variable would change which program runs, or speaks to this program.
    #[error("its environment sets a variable that is reserved")]
    ReservedVariable,
    /// The address cannot be used.
    #[error("its URL is not an http or https URL without a user")]
    BadUrl,
    /// The headers cannot be used.
    #[error("its headers are too many, too long or no texts of one line")]
    BadHeaders,
}

impl ToolsRule {
    const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "acp-tools-too-large",
            Self::NotJson => "acp-tools-not-json",
            Self::BadForm => "acp-tools-bad-form",
            Self::TooMany => "acp-tools-too-many",
            Self::BadServer => "acp-tools-bad-server",
            Self::UnknownMember => "acp-tools-unknown-member",
            Self::BadName => "acp-tools-bad-name",
            Self::ReservedName => "acp-tools-reserved-name",
            Self::SameName => "acp-tools-same-name",
            Self::BadType => "acp-tools-bad-type",
            Self::NotAbsolute => "acp-tools-not-absolute",
            Self::BadArguments => "acp-tools-bad-arguments",
            Self::BadEnvironment => "acp-tools-bad-environment",
            Self::ReservedVariable => "acp-tools-reserved-variable",
            Self::BadUrl => "acp-tools-bad-url",
            Self::BadHeaders => "acp-tools-bad-headers",
        }
    }
}

impl ToolsError {
    pub(super) const fn whole(rule: ToolsRule) -> Self {
        Self { server: None, rule }
    }

    /// The rule that is broken.
    #[must_use]
    pub const fn rule(&self) -> ToolsRule {
        self.rule
    }

    /// Its code, for programs: it does not change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.rule.code()
    }

    /// Which server breaks it, from 1.
    #[must_use]
    pub const fn server(&self) -> Option<usize> {
        self.server
    }
}

struct Place(Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(server) => write!(f, "tool server {server}: "),
            None => Ok(()),
        }
    }
}
