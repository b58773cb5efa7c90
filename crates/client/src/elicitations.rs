//! Answering the agent's questions to the user by functions, one for forms and one for URLs.

mod form;

use std::{collections::BTreeMap, fmt, pin::Pin, sync::Arc};

use acp_handshake::{Ability, Declaration};
use acp_vocab::{
    CreateElicitationRequest, ElicitationAcceptAction, ElicitationAction, ElicitationContentValue,
    ElicitationFormMode, ElicitationMode, ElicitationUrlMode, ErrorCode, ErrorObject, Method, Raw,
};

use crate::{
    handler::{Handler, Handling, Question},
    served::{Served, ServedClass, Watcher},
};

pub use form::FormFault;

/// What the user put into a form, by the names of its fields.
pub type FormContent = BTreeMap<Box<str>, ElicitationContentValue>;

/// What the user did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum UserReply {
    /// Agreed: to these values of the form; to open the URL, without values.
    Accept(FormContent),
    /// Said no.
    Decline,
    /// Turned away.
    Cancel,
}

type Answering = Pin<Box<dyn Future<Output = UserReply> + Send>>;
type FormHook = dyn Fn(CreateElicitationRequest, ElicitationFormMode) -> Answering + Send + Sync;
type UrlHook = dyn Fn(CreateElicitationRequest, ElicitationUrlMode) -> Answering + Send + Sync;

/// Answers `elicitation/create` (v1 section 8.3) by functions.
///
/// The mode that has a function is declared, and no other; a question of another mode is refused.
/// A reply that does not fit the form (a missing field, a wrong type, a value that is not listed)
/// never goes out: the answer is `cancel` then.
///
/// Of a URL show the whole, and ask; never fetch it ahead. Agreeing only means that the user agreed
/// to open it.
///
/// ```
/// use acp_client::{Client, Elicitations, UserReply};
///
/// let questions = Elicitations::new().on_form(|request, _form| async move {
///     eprintln!("the agent asks {} characters", request.message.len());
///     UserReply::Decline
/// });
/// let builder = Client::builder("host", "1.0").handler(questions);
/// assert_eq!(builder.declaration().iter().count(), 1);
/// ```
#[derive(Clone, Default)]
#[must_use = "it answers nothing until it is registered"]
pub struct Elicitations {
    form: Option<Arc<FormHook>>,
    url: Option<Arc<UrlHook>>,
    watcher: Watcher,
}

impl fmt::Debug for Elicitations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elicitations")
            .field("form", &self.form.is_some())
            .field("url", &self.url.is_some())
            .finish_non_exhaustive()
    }
}

impl Elicitations {
    /// Answers nothing yet, and declares nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes both kinds of questions, and declines them all: for hosts without a user.
    pub fn decline() -> Self {
        Self::new()
            .on_form(|_, _| std::future::ready(UserReply::Decline))
            .on_url(|_, _| std::future::ready(UserReply::Decline))
    }

    /// Fills forms from values that were given beforehand, by the names of the fields. A field
    /// without a value has its default; a form that asks for more, or for other values, is declined.
    pub fn prepared(values: FormContent) -> Self {
        let values = Arc::new(values);
        Self::new().on_form(move |_, mode| {
            std::future::ready(UserReply::filling(&mode.requested_schema, &values))
        })
    }

    /// Answers forms by this function. Dropping its future must be safe.
    pub fn on_form<A>(
        mut self,
        ask: impl Fn(CreateElicitationRequest, ElicitationFormMode) -> A + Send + Sync + 'static,
    ) -> Self
    where
        A: Future<Output = UserReply> + Send + 'static,
    {
        self.form = Some(Arc::new(move |request, mode| Box::pin(ask(request, mode))));
        self
    }

    /// Answers URLs by this function. Dropping its future must be safe.
    pub fn on_url<A>(
        mut self,
        ask: impl Fn(CreateElicitationRequest, ElicitationUrlMode) -> A + Send + Sync + 'static,
    ) -> Self
    where
        A: Future<Output = UserReply> + Send + 'static,
    {
        self.url = Some(Arc::new(move |request, mode| Box::pin(ask(request, mode))));
        self
    }

    /// Tells a function of every question that was answered, on a thread of the runtime.
    pub fn on_served(mut self, watch: impl Fn(&Served) + Send + Sync + 'static) -> Self {
        self.watcher = Watcher::new(watch);
        self
    }

    async fn answer(&self, question: &Question, served: &mut Served) -> Result<Raw, ErrorObject> {
        let request: CreateElicitationRequest = question.params()?;
        let undeclared = || {
            ErrorObject::new(
                ErrorCode::INVALID_PARAMS,
                "this client has not declared this mode of elicitation",
            )
        };
        let reply = match request.mode.clone() {
            ElicitationMode::Form(mode) => {
                let form = self.form.as_ref().ok_or_else(undeclared)?;
                let schema = mode.requested_schema.clone();
                let reply = form(request, mode).await;
                if matches!(&reply, UserReply::Accept(content) if form::check(&schema, content).is_err())
                {
                    tracing::warn!("a reply does not fit its form, and is not sent");
                    UserReply::Cancel
                } else {
                    reply
                }
            }
            ElicitationMode::Url(mode) => {
                let url = self.url.as_ref().ok_or_else(undeclared)?;
                let mut reply = url(request, mode).await;
                if let UserReply::Accept(content) = &mut reply {
                    content.clear();
                }
                reply
            }
            ElicitationMode::Unknown { .. } | _ => return Err(undeclared()),
        };
        let (action, class) = match reply {
            UserReply::Accept(content) => {
                let mut accept = ElicitationAcceptAction::new();
                accept.content = (!content.is_empty()).then_some(content);
                (ElicitationAction::Accept(accept), ServedClass::Done)
            }
            UserReply::Decline => (ElicitationAction::Decline, ServedClass::Declined),
            UserReply::Cancel => (ElicitationAction::Cancel, ServedClass::Cancelled),
        };
        served.class = class;
        question.result(&acp_vocab::CreateElicitationResponse::new(action))
    }
}

impl Handler for Elicitations {
    fn declares(&self) -> Declaration {
        let form = self.form.as_ref().map(|_| Ability::ElicitationForm);
        let url = self.url.as_ref().map(|_| Ability::ElicitationUrl);
        form.into_iter().chain(url).collect()
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        Box::pin(async move {
            if question.method() != Method::ELICITATION_CREATE.name() {
                return Err(ErrorObject::of(ErrorCode::METHOD_NOT_FOUND));
            }
            let (method, session) = (question.method(), question.session());
            let mut served = Served::new(method, session, ServedClass::Failed);
            let answer = self.answer(&question, &mut served).await;
            self.watcher.tell(&served);
            answer
        })
    }
}
