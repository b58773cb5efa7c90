//! What a conversation may hold. The timeline has the bound by itself; what stands beside it
//! (plans, lists, descriptions, the state) and what terminals printed have a quarter of that each,
//! all child sessions together a half.

use super::{Child, Conversation, TerminalState};
use crate::weight::{plan_bytes, state_bytes, written};

impl Conversation {
    /// Bytes that it holds, without its child sessions.
    fn held(&self) -> usize {
        self.timeline.bytes() + self.standing + self.printed
    }

    /// Something that stands beside the timeline has changed. What has no room is not kept: the
    /// change at hand, since everything before it had.
    pub(super) fn stands(&mut self, undo: impl FnOnce(&mut Self)) {
        self.standing = self.weigh_standing();
        if self.standing > self.limits.bytes / 4 {
            undo(self);
            self.standing = self.weigh_standing();
        }
    }

    fn weigh_standing(&self) -> usize {
        let text = |text: &Option<Box<str>>| text.as_ref().map_or(0, |text| text.len());
        let plan = |(id, plan): (&Option<acp_vocab::PlanId>, _)| {
            id.as_ref().map_or(0, |id| id.as_str().len()) + plan_bytes(plan)
        };
        let child = |child: &Child| {
            text(&child.title) + text(&child.description) + child.state.as_ref().map_or(0, weigh)
        };
        self.plans.iter().map(plan).sum::<usize>()
            + self.children.values().map(child).sum::<usize>()
            + written(&self.commands)
            + written(&self.options)
            + text(&self.title)
            + text(&self.updated_at)
            + self.mode.as_ref().map_or(0, |mode| mode.as_str().len())
            + self.usage.as_ref().map_or(0, written)
            + self.state.as_ref().map_or(0, weigh)
    }

    /// A terminal has changed. The fullest lose what they printed when all together are too many.
    pub(super) fn printed(&mut self) {
        let bytes = |terminal: &TerminalState| {
            let text = |text: &Option<Box<str>>| text.as_ref().map_or(0, |text| text.len());
            terminal.output.len() + text(&terminal.command) + text(&terminal.cwd)
        };
        let sum = |this: &Self| this.terminals.values().map(bytes).sum::<usize>();
        self.printed = sum(self);
        while self.printed > self.limits.bytes / 4
            && let Some(fullest) = self.terminals.values_mut().max_by_key(|one| bytes(one))
        {
            fullest.forget();
            self.printed = sum(self);
        }
    }

    /// A child session has changed. The fullest forget what they have no room for all together.
    pub(super) fn bound_children(&mut self) {
        let held = |child: &Child| child.conversation.held();
        let sum = |this: &Self| this.children.values().map(held).sum::<usize>();
        while sum(self) > self.limits.bytes / 2
            && let Some(fullest) = self.children.values_mut().max_by_key(|child| held(child))
        {
            let conversation = &mut *fullest.conversation;
            if !conversation.timeline.forget_oldest() {
                *conversation = Self::new(conversation.limits.clone());
            }
        }
    }
}

fn weigh(state: &acp_vocab::StateUpdate) -> usize {
    state_bytes(state) + written(state)
}
