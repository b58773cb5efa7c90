//! What a session could be set to, before it is open: looked at, and set while it is opened.

use std::{path::PathBuf, sync::Arc};

use acp_vocab::{
    ContentBlock, ErrorObject, Method, Raw, SessionConfigId, SessionId, SessionOptionsRequest,
    SystemPrompt, SystemPromptMode, v1, v2,
};
use serde_json::value::RawValue;

use super::{Connection, delegate::told, inbound::read};
use crate::{
    ability::{AnyOptions, OptionsRequest, SystemPrompts},
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

    /// Further roots only where they are offered.
    pub(super) fn check_directories(&self, additional: &[Box<str>]) -> Result<(), ErrorObject> {
        if additional.is_empty() || self.host.abilities.additional_directories {
            return Ok(());
        }
        Err(invalid(
            "additionalDirectories is not offered by this agent",
        ))
    }

    /// Instructions of the host only as far as they are offered: an agent must not ignore them.
    pub(super) fn check_system_prompt(
        &self,
        prompt: Option<&SystemPrompt>,
    ) -> Result<(), ErrorObject> {
        let Some(prompt) = prompt else {
            return Ok(());
        };
        let needed = match prompt.mode {
            SystemPromptMode::Append => SystemPrompts::Appended,
            SystemPromptMode::Override => SystemPrompts::Overriding,
            SystemPromptMode::Other(_) | _ => {
                return Err(invalid("systemPrompt.mode is not known"));
            }
        };
        let offered = self.host.abilities.system_prompts;
        if offered == SystemPrompts::Refused {
            return Err(invalid("systemPrompt is not offered by this agent"));
        }
        if offered < needed {
            return Err(invalid(
                "systemPrompt.mode: replacing its own instructions is not offered by this agent",
            ));
        }
        self.check_blocks("systemPrompt.content", &prompt.content)
    }

    /// What a prompt, or the instructions of a host, may hold: what was declared, within the bound.
    pub(super) fn check_blocks(
        &self,
        member: &str,
        blocks: &[ContentBlock],
    ) -> Result<(), ErrorObject> {
        let abilities = &self.host.abilities;
        let mut text = 0;
        for (at, block) in blocks.iter().enumerate() {
            let offered = match block {
                ContentBlock::Text(_) | ContentBlock::ResourceLink(_) => true,
                ContentBlock::Image(_) => abilities.images,
                ContentBlock::Audio(_) => abilities.audio,
                ContentBlock::Resource(_) => abilities.embedded_context,
                ContentBlock::Skill(_) | ContentBlock::Unknown { .. } | _ => false,
            };
            if !offered {
                let what = format!("{member}[{at}]: this kind of content is not offered");
                return Err(invalid(what));
            }
            text += crate::turn::text_of(block).map_or(0, str::len);
        }
        let limit = self.host.config.prompt_text;
        if text > limit {
            let what = format!("{member}: {text} bytes of text are over the bound of {limit}");
            return Err(invalid(what));
        }
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
