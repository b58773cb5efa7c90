//! Rules that come too late: what they are about was decided by one before them.

use crate::{Effect, Rules, Scope};

/// A rule that an earlier one decides for. Found by [`Rules::overlaps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// The rule that comes too late, counted from 1.
    pub rule: usize,
    /// The earlier one.
    pub by: usize,
    /// Nothing is left for the later rule. Otherwise it still decides where the earlier one, which allows, does not cover all of a request.
    pub wholly: bool,
}

impl Rules {
    /// Every rule that can never decide, or not about what it plainly says, each with the first rule that is in its way.
    ///
    /// What is found is so; that nothing is found does not prove that every rule is reached.
    ///
    /// # Examples
    /// ```
    /// use acp_permission::{Kind, Rules};
    ///
    /// let rules = Rules::new().allow(Kind::Execute.command("git")).deny(Kind::Execute.command("git push"));
    /// let late = rules.overlaps();
    /// assert_eq!((late[0].rule, late[0].by, late[0].wholly), (2, 1, false));
    /// ```
    #[must_use]
    pub fn overlaps(&self) -> Vec<Overlap> {
        let rules: Vec<(Effect, &Scope)> = self.iter().collect();
        let in_the_way = |at: usize, (effect, scope): (Effect, &Scope)| {
            let earlier = rules.iter().enumerate().take(at);
            let mut by = earlier.filter(|(_, (_, wider))| wider.includes(scope, self.root()));
            by.next().map(|(before, (first, wider))| Overlap {
                rule: at + 1,
                by: before + 1,
                // What a refusal touches, a wider refusal touches, and what is allowed is touched; only what is allowed must be covered as a whole.
                wholly: *first != Effect::Allow
                    || effect == Effect::Allow
                    || **wider == Scope::any(),
            })
        };
        rules
            .iter()
            .enumerate()
            .filter_map(|(at, rule)| in_the_way(at, *rule))
            .collect()
    }
}
