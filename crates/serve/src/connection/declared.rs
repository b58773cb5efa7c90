//! What a request may bring: what was declared, within the bounds. What was not is refused, never
//! ignored.

use acp_vocab::{ContentBlock, ErrorObject, SystemPrompt, SystemPromptMode};

use super::Connection;
use crate::{ability::SystemPrompts, refusal::invalid, turn::text_of};

impl Connection {
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
            text += text_of(block).map_or(0, str::len);
        }
        let limit = self.host.config.prompt_text;
        if text > limit {
            let what = format!("{member}: {text} bytes of text are over the bound of {limit}");
            return Err(invalid(what));
        }
        Ok(())
    }
}
