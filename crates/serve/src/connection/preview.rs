//! What a session could be set to, before it is open: looked at, and set while it is opened.

use std::{path::PathBuf, sync::Arc};

use acp_vocab::{
    ErrorObject, Method, Raw, SessionConfigId, SessionId, SessionOptionsRequest, v1, v2,
};
use serde_json::value::RawValue;

use super::{Connection, delegate::told, inbound::read};
use crate::{
    ability::{AnyOptions, OptionsRequest},
    command::{Answer, RequestKey},
    commands::SlashCommand,
    opening::Opened,
    options::{OptionValue, SessionOption, check, v1_modes, v1_options},
    refusal::{invalid, not_offered},
    workspace::Workspaces,
};

impl Connection {
    pub(super) fn session_options(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let preview = self.host.abilities.setup_options.clone();
        let preview = preview.ok_or_else(|| not_offered(Method::SESSION_OPTIONS))?;
        let request: SessionOptionsRequest = read(params)?;
        self.check_directories(&request.additional_directories)?;
        let workspaces = self.host.workspaces.clone();
        let v1 = self.is_v1();
        let booleans = self.shows_booleans();
        self.handle(key, async move {
            let opened = async {
                let (cwd, additional_directories) =
                    places(&workspaces, &request.cwd, &request.additional_directories).await?;
                let request = OptionsRequest {
                    cwd,
                    additional_directories,
                    session: request.session_id,
                };
                preview.preview(request).await
            };
            Answer::Plain(opened.await.and_then(|opened| {
                if v1 {
                    previewed_v1(&opened, booleans)
                } else {
                    previewed_v2(opened)
                }
            }))
        });
        Ok(())
    }
}

/// The directories that a session may work in, canonical.
pub(super) async fn places(
    workspaces: &Workspaces,
    cwd: &str,
    additional: &[Box<str>],
) -> Result<(PathBuf, Vec<PathBuf>), ErrorObject> {
    let cwd = workspaces.admit(cwd).await?;
    let mut roots = Vec::with_capacity(additional.len());
    for directory in additional {
        roots.push(workspaces.admit(directory).await?);
    }
    Ok((cwd, roots))
}

/// A value for an option of a session that is being opened.
pub(super) type Initial = (SessionConfigId, OptionValue);

/// Values that a request to open brings.
pub(super) trait InitialValue {
    fn read(self) -> Option<Initial>;
}

impl InitialValue for v1::InitialSessionConfigOption {
    fn read(self) -> Option<Initial> {
        Some((self.config_id, OptionValue::from_v1(self.value)?))
    }
}

impl InitialValue for v2::InitialSessionConfigOption {
    fn read(self) -> Option<Initial> {
        Some((self.config_id, OptionValue::from_v2(self.value)?))
    }
}

pub(super) fn initial(values: Vec<impl InitialValue>) -> Result<Vec<Initial>, ErrorObject> {
    values
        .into_iter()
        .map(|value| value.read())
        .collect::<Option<_>>()
        .ok_or_else(|| invalid("configOptions: a kind of value that no option takes"))
}

/// Sets options of a session that nobody has seen yet, one after the other.
pub(super) async fn apply(
    options: Option<Arc<dyn AnyOptions>>,
    session: &SessionId,
    shown: &mut Vec<SessionOption>,
    initial: Vec<Initial>,
) -> Result<(), ErrorObject> {
    let Some(options) = options else {
        return Ok(());
    };
    for (id, value) in initial {
        check(shown, &id, &value)?;
        *shown = options.set(session, &id, value).await?;
    }
    Ok(())
}

fn previewed_v1(opened: &Opened, booleans: bool) -> Result<Raw, ErrorObject> {
    let mut response = v1::SessionOptionsResponse::new();
    response.modes = v1_modes(&opened.options);
    response.config_options =
        (!opened.options.is_empty()).then(|| v1_options(&opened.options, booleans));
    told(Ok(response))
}

fn previewed_v2(opened: Opened) -> Result<Raw, ErrorObject> {
    let mut response = v2::SessionOptionsResponse::new();
    response.available_commands = opened.commands.iter().map(SlashCommand::v2).collect();
    response.config_options = opened.options;
    told(Ok(response))
}
