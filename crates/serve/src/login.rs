//! Ways to log in: the same words for both versions.

use acp_vocab::{AuthMethodId, EnvVariable, v1, v2};

/// A way to log in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoginMethod {
    /// Its id.
    pub id: AuthMethodId,
    /// Its name, for people.
    pub name: Box<str>,
    /// More about it.
    pub description: Option<Box<str>>,
    /// Who does it.
    pub kind: LoginKind,
}

/// Who carries a login out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoginKind {
    /// The agent, when it is asked to.
    Agent,
    /// The client, by running this agent's command in a terminal with these arguments and variables
    /// added. Only shown to clients that can.
    #[non_exhaustive]
    Terminal {
        /// Arguments to add.
        args: Vec<Box<str>>,
        /// Variables to set.
        env: Vec<(Box<str>, Box<str>)>,
    },
}

impl LoginMethod {
    /// A login that the agent carries out.
    pub fn new(id: impl Into<AuthMethodId>, name: impl Into<Box<str>>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            description: None,
            kind: LoginKind::Agent,
        }
    }

    /// With more about it.
    #[must_use]
    pub fn description(mut self, text: impl Into<Box<str>>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Carried out by the client in a terminal, with these arguments added.
    #[must_use]
    pub fn in_terminal(mut self, args: &[&str]) -> Self {
        self.kind = LoginKind::Terminal {
            args: args.iter().map(|arg| Box::from(*arg)).collect(),
            env: Vec::new(),
        };
        self
    }

    pub(crate) fn v1(&self, client_has_terminal: bool) -> Option<v1::AuthMethod> {
        match &self.kind {
            LoginKind::Agent => {
                let mut method = v1::AuthMethodAgent::new(self.id.clone(), self.name.clone());
                method.description.clone_from(&self.description);
                Some(v1::AuthMethod::Agent(method))
            }
            LoginKind::Terminal { args, env } => client_has_terminal.then(|| {
                let mut method = v1::AuthMethodTerminal::new(self.id.clone(), self.name.clone());
                method.description.clone_from(&self.description);
                method.args.clone_from(args);
                method.env = env.iter().cloned().collect();
                v1::AuthMethod::Terminal(method)
            }),
        }
    }

    pub(crate) fn v2(&self, client_has_terminal: bool) -> Option<v2::AuthMethod> {
        match &self.kind {
            LoginKind::Agent => {
                let mut method = v2::AuthMethodAgent::new(self.id.clone(), self.name.clone());
                method.description.clone_from(&self.description);
                Some(v2::AuthMethod::Agent(method))
            }
            LoginKind::Terminal { args, env } => client_has_terminal.then(|| {
                let mut method = v2::AuthMethodTerminal::new(self.id.clone(), self.name.clone());
                method.description.clone_from(&self.description);
                method.args.clone_from(args);
                method.env = env
                    .iter()
                    .map(|(name, value)| EnvVariable::new(name.clone(), value.clone()))
                    .collect();
                v2::AuthMethod::Terminal(method)
            }),
        }
    }
}
