//! What changes a conversation.

use acp_vocab::{
    ContentBlock, Patch, SessionModeId, SubagentUpdate, TerminalId, ToolCallStatus, v2,
};

use super::timeline::Key;
use super::{Child, Conversation, Entry, TerminalState};
use crate::event::{Event, Plan, Received, Speaker};
use crate::tool::is_final;
use crate::turn::TurnEnd;

impl Conversation {
    /// The host sent a prompt. In v1 the agent does not repeat it; some do, and are not shown
    /// twice. In v2 the agent's echo is authoritative, so a host need not call this.
    pub fn prompted(&mut self, prompt: &[ContentBlock]) {
        self.timeline.add_prompt(prompt);
        self.timeline.bound(&self.limits);
    }

    /// The options that a request answered with: the result of opening a session, or of setting
    /// one.
    pub fn set_options(&mut self, options: Vec<v2::SessionConfigOption>) {
        self.options = options;
    }

    /// The mode that a request answered with.
    pub fn set_mode(&mut self, mode: SessionModeId) {
        self.mode = Some(mode);
    }

    /// The commands that a request answered with.
    pub fn set_commands(&mut self, commands: Vec<v2::AvailableCommand>) {
        self.commands = commands;
    }

    /// Folds an event in.
    pub fn apply(&mut self, received: &Received) {
        let Some(child) = &received.child else {
            return self.apply_event(&received.event);
        };
        if self.children.len() < self.limits.parts || self.children.contains_key(child) {
            let limits = &self.limits;
            let child = self.children.entry(child.clone()).or_insert_with(|| Child {
                conversation: Box::new(Self::new(limits.clone())),
                ..Child::default()
            });
            child.conversation.apply_event(&received.event);
        }
    }

    fn apply_event(&mut self, event: &Event) {
        match event {
            Event::Text(chunk) => self.timeline.add_chunk(Speaker::Agent, chunk),
            Event::Thought(chunk) => self.timeline.add_chunk(Speaker::Thought, chunk),
            Event::User(chunk) => self.timeline.add_chunk(Speaker::User, chunk),
            Event::Message(message) => self.timeline.set_message(message),
            Event::Tool(tool) => self.timeline.change_tool(tool),
            Event::Permission(permission) => {
                permission
                    .tool
                    .iter()
                    .for_each(|tool| self.timeline.change_tool(tool));
            }
            Event::Compaction(update) => self.timeline.change_compaction(update),
            Event::CompactionSummary(chunk) => {
                self.timeline
                    .add_summary(&chunk.compaction_id, &chunk.content);
            }
            Event::SessionMessage(message) => self.timeline.change_session_message(message),
            Event::SessionMessageChunk(chunk) => {
                self.timeline
                    .add_session_chunk(&chunk.message_id, &chunk.content);
            }
            Event::Plan(plan) => self.set_plan(plan),
            Event::PlanRemoved(id) => {
                self.plans.remove(&Some(id.clone()));
            }
            Event::Commands(commands) => self.commands.clone_from(commands),
            Event::Options(options) => self.options.clone_from(options),
            Event::Mode(mode) => self.mode = Some(mode.clone()),
            Event::Info(info) => {
                info.title.clone().apply_to(&mut self.title);
                info.updated_at.clone().apply_to(&mut self.updated_at);
            }
            Event::Usage(usage) => {
                usage.cost.clone().apply_to(&mut self.cost);
                self.usage = Some((**usage).clone());
            }
            Event::Terminal(update) => {
                if let Some(terminal) = self.terminal_mut(&update.terminal_id) {
                    terminal.0.apply(update, terminal.1);
                }
            }
            Event::TerminalOutput(chunk) => {
                if let Some(terminal) = self.terminal_mut(&chunk.terminal_id) {
                    terminal.0.append(&chunk.data, terminal.1);
                }
            }
            Event::State(state) => self.state = Some((**state).clone()),
            Event::Subagent(update) => self.change_child(update),
            Event::ReplayComplete
            | Event::Notice(_)
            | Event::Suggestions(_)
            | Event::Cursor(_)
            | Event::Elicitation(_)
            | Event::Request(_)
            | Event::Settled(_)
            | Event::Notification(_)
            | Event::Unknown { .. }
            | Event::Diagnostic(_) => {}
        }
        self.timeline.bound(&self.limits);
    }

    /// Folds the end of a turn in: what the agent left open is over.
    pub fn apply_end(&mut self, end: &TurnEnd) {
        for id in &end.open_tools {
            if let Some(Entry::Tool(tool)) = self.timeline.find_mut(&Key::Tool(id.clone()))
                && !is_final(&tool.status)
            {
                tool.status = ToolCallStatus::Cancelled;
            }
        }
        self.timeline.break_run();
    }

    fn set_plan(&mut self, plan: &Plan) {
        if self.plans.len() < self.limits.parts || self.plans.contains_key(&plan.id) {
            self.plans.insert(plan.id.clone(), plan.content.clone());
        }
    }

    fn terminal_mut(&mut self, id: &TerminalId) -> Option<(&mut TerminalState, usize)> {
        let known = self.terminals.contains_key(id);
        (known || self.terminals.len() < self.limits.parts).then(|| {
            let terminal = self.terminals.entry(id.clone()).or_default();
            (terminal, self.limits.terminal_bytes)
        })
    }

    fn change_child(&mut self, update: &SubagentUpdate) {
        let known = self.children.contains_key(&update.session_id);
        if !known && self.children.len() >= self.limits.parts {
            return;
        }
        let limits = &self.limits;
        let child = self
            .children
            .entry(update.session_id.clone())
            .or_insert_with(|| Child {
                conversation: Box::new(Self::new(limits.clone())),
                ..Child::default()
            });
        update.title.clone().apply_to(&mut child.title);
        update.description.clone().apply_to(&mut child.description);
        update.state.clone().apply_to(&mut child.state);
        match &update.capabilities {
            Patch::Absent => {}
            Patch::Null => child.can_cancel = false,
            Patch::Value(capabilities) => child.can_cancel = capabilities.cancel.is_some(),
        }
    }
}
