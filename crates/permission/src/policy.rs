//! The trait that decides, and how policies are combined.

use std::{fmt, sync::Arc};

use crate::{
    Decision, Request, Verdict,
    audit::{Audit, Recorded},
};

/// Somebody or something that decides a permission request. It looks and answers; it sends nothing and waits for nothing.
///
/// Policies are shared between the requests of a connection, so deciding takes `&self`; one that remembers or records locks inside.
///
/// # Examples
/// ```
/// use acp_permission::{Decision, Policy, Request, Verdict};
///
/// /// Allows nothing but looking at the time.
/// struct Clock;
/// impl Policy for Clock {
///     fn decide(&self, request: &Request) -> Verdict {
///         let decision = match request.command() {
///             Some(command) if command.text() == "date" => Decision::AllowOnce,
///             _ => Decision::Deny,
///         };
///         Verdict::new(decision, "clock", "only `date` is allowed")
///     }
/// }
/// ```
pub trait Policy {
    /// Decides about `request`. [`Decision::Defer`] says that this policy has no opinion.
    fn decide(&self, request: &Request) -> Verdict;

    /// This policy, with every decision put into `audit`.
    ///
    /// # Examples
    /// ```
    /// use acp_permission::{Kind, Policy, Request, Rules};
    ///
    /// let mut audit = Vec::new();
    /// let policy = Rules::new().allow(Kind::Read).recorded(&mut audit);
    /// policy.decide(&Request::new("s", vec![]).of_kind(Kind::Read));
    /// drop(policy);
    /// assert_eq!(&*audit[0].why, "rule 1: allow read");
    /// ```
    fn recorded<A: Audit>(self, audit: A) -> Recorded<Self, A>
    where
        Self: Sized,
    {
        Recorded::new(self, audit)
    }
}

/// Object safety is a promise: hosts keep policies as `Box<dyn Policy>`.
const _: fn(&dyn Policy) = |_| ();

impl<P: Policy + ?Sized> Policy for &P {
    fn decide(&self, request: &Request) -> Verdict {
        (**self).decide(request)
    }
}

impl<P: Policy + ?Sized> Policy for Box<P> {
    fn decide(&self, request: &Request) -> Verdict {
        (**self).decide(request)
    }
}

impl<P: Policy + ?Sized> Policy for Arc<P> {
    fn decide(&self, request: &Request) -> Verdict {
        (**self).decide(request)
    }
}

/// Policies in order: the first that has an opinion decides. `Ask` is an opinion; only `Defer` goes on.
///
/// # Examples
/// ```
/// use acp_permission::{AllowOnce, Chain, Decision, Kind, Policy, Request, Rules};
///
/// let guard = Rules::new().deny(Kind::Execute).otherwise(Decision::Defer);
/// let chain = Chain::new().then(guard).then(AllowOnce);
/// let run = Request::new("s", vec![]).of_kind(Kind::Execute);
/// let read = Request::new("s", vec![]).of_kind(Kind::Read);
/// assert_eq!(chain.decide(&run).decision, Decision::Deny);
/// assert_eq!(chain.decide(&read).decision, Decision::AllowOnce);
/// ```
#[derive(Default)]
pub struct Chain<'a> {
    policies: Vec<Box<dyn Policy + Send + Sync + 'a>>,
}

impl<'a> Chain<'a> {
    /// A chain that has no opinion yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks `policy` where nobody before it has an opinion.
    #[must_use]
    pub fn then(mut self, policy: impl Policy + Send + Sync + 'a) -> Self {
        self.policies.push(Box::new(policy));
        self
    }
}

impl Policy for Chain<'_> {
    fn decide(&self, request: &Request) -> Verdict {
        self.policies
            .iter()
            .map(|policy| policy.decide(request))
            .find(|verdict| verdict.decision != Decision::Defer)
            .unwrap_or_else(|| Verdict::new(Decision::Defer, "chain", "nobody has an opinion"))
    }
}

impl fmt::Debug for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("policies", &self.policies.len())
            .finish()
    }
}
