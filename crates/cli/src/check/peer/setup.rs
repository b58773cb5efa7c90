//! From the first message to an open session.

use serde_json::{Value, json};

use super::Peer;
use crate::check::{verdict::Stop, version::Version};

impl Peer<'_> {
    /// Agrees on the version.
    pub(crate) async fn initialize(&mut self) -> Result<(), Stop> {
        let params = initialize(self.version(), self.version().number());
        let id = self.request("initialize", params).await?;
        let bound = self.stand.setting.startup;
        let result = self.reply_within(&id, "initialize", bound).await?.ok()?;
        let agreed = result.get("protocolVersion").and_then(Value::as_u64);
        if agreed != Some(u64::from(self.version().number())) {
            let answer = result.get("protocolVersion").cloned().unwrap_or_default();
            return Err(match (self.version(), agreed) {
                (Version::Two, Some(1)) => {
                    Stop::NotTested(String::from("the agent speaks no version 2"))
                }
                (Version::One, Some(2)) => {
                    Stop::NotTested(String::from("the agent speaks no version 1"))
                }
                _ => Stop::fail(format!(
                    "protocolVersion {} was answered with {answer}",
                    self.version().number()
                )),
            });
        }
        self.agreement = result;
        Ok(())
    }

    /// What the agent declares at this path of its capabilities.
    pub(crate) fn capability(&self, path: &str) -> Option<&Value> {
        let capabilities = match self.version() {
            Version::One => "agentCapabilities",
            Version::Two => "capabilities",
        };
        let mut value = self.agreement.get(capabilities)?;
        for name in path.split('.') {
            value = value.get(name)?;
        }
        (!matches!(value, Value::Null | Value::Bool(false))).then_some(value)
    }

    /// Ends the test unless the agent declares one of these: the path of version 1, the path of version 2.
    pub(crate) fn needs(&self, one: &str, two: &str) -> Result<(), Stop> {
        let path = match self.version() {
            Version::One => one,
            Version::Two => two,
        };
        match path {
            "" => Ok(()),
            path if self.capability(path).is_some() => Ok(()),
            path => Err(Stop::NotTested(format!(
                "the agent does not declare {path}"
            ))),
        }
    }

    /// Opens a session and gives back its id; logs in first where that was asked for.
    pub(crate) async fn open(&mut self) -> Result<String, Stop> {
        self.login().await?;
        let params = self.setup_params();
        let reply = self.call("session/new", params).await?;
        if reply.wants_key() {
            return Err(Stop::Skip(String::from(
                "the agent wants a login before a session: name a method with --auth-method, or log in with its own command",
            )));
        }
        self.setup = reply.ok().map_err(|stop| stop.elsewhere("SESSION-001"))?;
        let id = self.setup.get("sessionId").and_then(Value::as_str);
        id.map(ToOwned::to_owned)
            .ok_or_else(|| Stop::Skip(String::from("session/new gave no id (see SESSION-001)")))
    }

    /// Logs in with the method that was named, if one was.
    pub(crate) async fn login(&mut self) -> Result<(), Stop> {
        let Some(method) = &self.stand.setting.auth_method else {
            return Ok(());
        };
        let params = json!({"methodId": method});
        let name = self.login_method();
        let reply = self.call(name, params).await?;
        reply
            .ok()
            .map(drop)
            .map_err(|stop| stop.elsewhere("AUTH-003"))
    }

    /// The method that logs in.
    pub(crate) fn login_method(&self) -> &'static str {
        match self.version() {
            Version::One => "authenticate",
            Version::Two => "auth/login",
        }
    }

    /// The params that set a session up in the directory of the test.
    pub(crate) fn setup_params(&self) -> Value {
        json!({"cwd": self.cwd(), "mcpServers": []})
    }

    /// The directory of the test.
    pub(crate) fn cwd(&self) -> String {
        self.stand.setting.cwd.to_string_lossy().into_owned()
    }
}

/// The params of `initialize` in the shape of this version, asking for that one.
pub(crate) fn initialize(shape: Version, asked: u16) -> Value {
    let info = json!({"name": "acp-check", "version": env!("CARGO_PKG_VERSION")});
    match shape {
        Version::One => json!({
            "protocolVersion": asked,
            "clientInfo": info,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        }),
        Version::Two => json!({"protocolVersion": asked, "info": info, "capabilities": {}}),
    }
}
