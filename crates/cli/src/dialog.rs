//! A question of the agent to the user, asked on the terminal field by field.

use std::collections::VecDeque;

use acp_harness::{
    client::{Elicitation, FormContent, Settled, UserReply},
    vocab::{
        ElicitationContentValue as Value, ElicitationMode, ElicitationPropertySchema as Field,
        ElicitationSchema, EnumOption, MultiSelectItems,
    },
};

use crate::safe;

/// A question whose answer is being typed.
#[derive(Debug)]
pub(crate) struct Dialog {
    question: Elicitation,
    /// What is still to be asked; empty for a URL.
    fields: VecDeque<(Box<str>, Field)>,
    given: FormContent,
}

/// What a typed line leads to.
#[derive(Debug)]
pub(crate) enum Step {
    /// The next line is wanted.
    Open(Box<Dialog>),
    /// It is answered, as this word says.
    Over(&'static str),
}

impl Dialog {
    /// A question that was just asked.
    pub(crate) fn new(question: Elicitation) -> Self {
        let fields = match &question.request().mode {
            ElicitationMode::Form(mode) => mode
                .requested_schema
                .properties
                .iter()
                .map(|(name, field)| (name.clone(), field.clone()))
                .collect(),
            ElicitationMode::Url(_) | ElicitationMode::Unknown { .. } | _ => VecDeque::new(),
        };
        Self {
            question,
            fields,
            given: FormContent::new(),
        }
    }

    /// Waits until somebody else has settled it.
    pub(crate) async fn withdrawn(&self) -> Settled {
        self.question.withdrawn().await
    }

    fn schema(&self) -> Option<&ElicitationSchema> {
        match &self.question.request().mode {
            ElicitationMode::Form(mode) => Some(&mode.requested_schema),
            ElicitationMode::Url(_) | ElicitationMode::Unknown { .. } | _ => None,
        }
    }

    /// What is asked first: who asks what.
    pub(crate) fn opening(&self) -> String {
        let request = self.question.request();
        let mut out = format!("? the agent asks: {}\n", safe::line(&request.message, 400));
        if let ElicitationMode::Url(mode) = &request.mode {
            // The whole of it, so that nobody agrees to what he has not seen.
            out.push_str(&format!("    open   {}\n", safe::line(&mode.url, 2000)));
        }
        out
    }

    /// What the next line is to say.
    pub(crate) fn question(&self) -> String {
        let Some((name, field)) = self.fields.front() else {
            return match self.schema() {
                Some(_) => String::from("  send it? y, n (decline) or c (cancel): "),
                None => String::from("  did you open it? y, n (decline) or c (cancel): "),
            };
        };
        let needed = self
            .schema()
            .and_then(|schema| schema.required.as_ref())
            .is_some_and(|required| required.contains(name));
        let mut out = format!("  {}", safe::line(name, 80));
        let hint = hint(field);
        if !hint.is_empty() {
            out.push_str(&format!(" ({hint})"));
        }
        out.push_str(if needed { ": " } else { ", may be empty: " });
        out
    }

    /// Takes a line that was typed; `None` when the terminal is gone.
    pub(crate) fn typed(mut self, line: Option<&str>) -> Step {
        let Some(line) = line.map(str::trim) else {
            return self.cancel();
        };
        let Some((name, field)) = self.fields.pop_front() else {
            return match (line, self.schema().is_some()) {
                ("y" | "yes", true) => self.send(),
                ("y" | "yes", false) => over(self.question.accept(None).is_ok(), "done"),
                ("n" | "no", _) => over(self.question.decline().is_ok(), "declined"),
                ("c" | "cancel", _) => self.cancel(),
                _ => Step::Open(Box::new(self)),
            };
        };
        if line.is_empty() {
            return Step::Open(Box::new(self));
        }
        match value(&field, line) {
            Some(value) => {
                self.given.insert(name, value);
            }
            // Asked again.
            None => self.fields.push_front((name, field)),
        }
        Step::Open(Box::new(self))
    }

    fn send(self) -> Step {
        let reply = self
            .schema()
            .map(|schema| UserReply::accept(schema, self.given.clone()));
        match reply {
            Some(Ok(UserReply::Accept(content))) => {
                over(self.question.accept(Some(&content)).is_ok(), "done")
            }
            // It does not fit: from the start.
            _ => Step::Open(Box::new(Self::new(self.question))),
        }
    }

    fn cancel(self) -> Step {
        over(self.question.cancel().is_ok(), "cancelled")
    }
}

fn over(in_time: bool, word: &'static str) -> Step {
    Step::Over(if in_time { word } else { "too_late" })
}

/// What a field takes.
fn hint(field: &Field) -> String {
    let titled = |options: &[EnumOption]| {
        let words: Vec<_> = options.iter().map(|option| &*option.value).collect();
        words.join("|")
    };
    let listed = match field {
        Field::String(field) => field
            .values
            .as_ref()
            .map(|values| values.join("|"))
            .or_else(|| field.one_of.as_deref().map(titled)),
        Field::Number(_) => Some(String::from("a number")),
        Field::Integer(_) => Some(String::from("an integer")),
        Field::Boolean(_) => Some(String::from("y or n")),
        Field::Array(field) => Some(match &field.items {
            MultiSelectItems::Untitled(items) => {
                format!("some of {}, with commas", items.values.join("|"))
            }
            MultiSelectItems::Titled(items) => {
                format!("some of {}, with commas", titled(&items.any_of))
            }
            MultiSelectItems::Unknown { .. } | _ => String::from("words, with commas"),
        }),
        Field::Unknown { .. } | _ => None,
    };
    safe::line(&listed.unwrap_or_default(), 200)
}

/// A line as a value of a field; `None` when it is none.
fn value(field: &Field, line: &str) -> Option<Value> {
    match field {
        Field::Number(_) => line.parse().ok().map(Value::Number),
        Field::Integer(_) => line.parse().ok().map(Value::Integer),
        Field::Boolean(_) => match line {
            "y" | "yes" | "true" => Some(Value::Boolean(true)),
            "n" | "no" | "false" => Some(Value::Boolean(false)),
            _ => None,
        },
        Field::Array(_) => {
            let words = line.split(',').map(|word| word.trim().into());
            Some(Value::StringArray(words.collect()))
        }
        Field::String(_) | Field::Unknown { .. } | _ => Some(Value::String(line.into())),
    }
}
