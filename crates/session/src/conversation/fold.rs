//! What changes a conversation.

use acp_vocab::{
    ContentBlock, Patch, SessionId, SessionModeId, StateUpdate, SubagentUpdate, TerminalId,
    ToolCallStatus, v2,
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
        self.stands(|this| this.options = Vec::new());
    }

    /// The mode that a request answered with.
    pub fn set_mode(&mut self, mode: SessionModeId) {
        self.mode = Some(mode);
        self.stands(|this| this.mode = None);
    }

    /// The commands that a request answered with.
    pub fn set_commands(&mut self, commands: Vec<v2::AvailableCommand>) {
        self.commands = commands;
        self.stands(|this| this.commands = Vec::new());
    }

    /// Folds an event in.
    pub fn apply(&mut self, received: &Received) {
        match (&received.child, &received.event) {
            (None, event) => self.apply_event(event),
            // A child's child is one more child: they all feed one stream.
            (Some(_), Event::Subagent(update)) => self.change_child(update),
            (Some(id), event) => {
                if let Some(child) = self.child_mut(id) {
                    child.conversation.apply_event(event);
                    self.bound_children();
                }
            }
        }
    }

    fn child_mut(&mut self, id: &SessionId) -> Option<&mut Child> {
        let known = self.children.contains_key(id);
        if !known && self.children.len() >= self.limits.parts {
            return None;
        }
        let limits = &self.limits;
        Some(self.children.entry(id.clone()).or_insert_with(|| Child {
            conversation: Box::new(Self::new(limits.clone())),
            ..Child::default()
        }))
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
                self.stands(|_| ());
            }
            Event::Commands(commands) => self.set_commands(commands.clone()),
            Event::Options(options) => self.set_options(options.clone()),
            Event::Mode(mode) => self.set_mode(mode.clone()),
            Event::Info(info) => {
                info.title.clone().apply_to(&mut self.title);
                info.updated_at.clone().apply_to(&mut self.updated_at);
                self.stands(|this| (this.title, this.updated_at) = (None, None));
            }
            Event::Usage(usage) => {
                usage.cost.clone().apply_to(&mut self.cost);
                self.usage = Some((**usage).clone());
                self.stands(|this| (this.usage, this.cost) = (None, None));
            }
            Event::Terminal(update) => {
                if let Some(terminal) = self.terminal_mut(&update.terminal_id) {
                    terminal.0.apply(update, terminal.1);
                    self.printed();
                }
            }
            Event::TerminalOutput(chunk) => {
                if let Some(terminal) = self.terminal_mut(&chunk.terminal_id) {
                    terminal.0.append(&chunk.data, terminal.1);
                    self.printed();
                }
            }
            Event::State(state) => self.set_state(state),
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
            self.stands(|this| {
                this.plans.remove(&plan.id);
            });
        }
    }

    /// An agent that has lost track says nothing of what it does: the last word stays (v2 section 6.3).
    fn set_state(&mut self, state: &StateUpdate) {
        self.unconfirmed = matches!(state, StateUpdate::Untracked(_));
        if !self.unconfirmed {
            self.state = Some(state.clone());
            self.stands(|this| this.state = None);
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
        let Some(child) = self.child_mut(&update.session_id) else {
            return;
        };
        update.title.clone().apply_to(&mut child.title);
        update.description.clone().apply_to(&mut child.description);
        match &update.state {
            Patch::Absent => {}
            Patch::Null => child.is_unconfirmed = true,
            Patch::Value(state) => {
                child.is_unconfirmed = matches!(state, StateUpdate::Untracked(_));
                if !child.is_unconfirmed {
                    child.state = Some(state.clone());
                }
            }
        }
        match &update.capabilities {
            Patch::Absent => {}
            Patch::Null => child.can_cancel = false,
            Patch::Value(capabilities) => child.can_cancel = capabilities.cancel.is_some(),
        }
        self.stands(|this| {
            if let Some(child) = this.children.get_mut(&update.session_id) {
                (child.title, child.description, child.state) = (None, None, None);
            }
        });
    }
}
