//! Our types: how they read and write, and values of them made from the tables of `acp-vocab`.

use std::{cell::RefCell, collections::BTreeMap};

use acp_vocab::{
    FieldInfo, Loss, LossReason, Presence, ProtocolVersion, Reading, Rule, Shape, Stability, TYPES,
    TypeInfo, TypeRef,
};
use serde_json::{
    Map, Value, json,
    value::{RawValue, to_raw_value},
};

use crate::{
    choose::{Choose, Least},
    official::{self, Definition},
};

/// The versions that are compared.
pub const VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V1, ProtocolVersion::V2];

/// A word that no version of the protocol has.
pub const UNHEARD: &str = "_unheard";

/// How deep generated values nest before they become as plain as they can be.
const DEPTH: usize = 5;

/// Possibilities that we read and the official type does not, so that we must not send them.
const NOT_SENT: &[(u16, &str, TypeRef)] = &[
    (1, "ElicitationContentValue", TypeRef::Scalar("any")),
    (2, "RequestId", TypeRef::Scalar("null")),
];

/// Values of members that version 2 has and version 1 does not. One type of ours serves both, so
/// that it is up to the sender not to use them in version 1.
pub const WIDER: &[(&str, &str, Wider)] = &[
    ("ResourceLink", "size", Wider::BeyondI64),
    ("SessionInfoUpdate", "_meta", Wider::Null),
    ("TerminalExitStatus", "exitCode", Wider::BeyondU32),
    ("UsageUpdate", "_meta", Wider::Null),
    ("UsageUpdate", "cost", Wider::Null),
    ("WaitForTerminalExitResponse", "exitCode", Wider::BeyondU32),
];

/// What version 2 has more.
#[derive(Clone, Copy, Debug)]
pub enum Wider {
    /// `null` apart from nothing.
    Null,
    /// Numbers below zero, or beyond 32 bits.
    BeyondU32,
    /// Numbers that need the 64th bit.
    BeyondI64,
}

impl Wider {
    /// Whether a value is only for version 2.
    #[must_use]
    pub fn takes(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::BeyondU32 => value.as_u64().is_none_or(|number| number > u32::MAX.into()),
            Self::BeyondI64 => value.as_i64().is_none(),
        }
    }

    /// A value that is only for version 2.
    #[must_use]
    pub fn sample(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::BeyondU32 => json!(-1),
            Self::BeyondI64 => json!(u64::MAX),
        }
    }
}

/// Lists that must have an item, which is the duty of whoever fills them.
const NEVER_EMPTY: &[(u16, &str, &str)] = &[(2, "RequestPermissionRequest", "options")];

/// Parts of objects that may be missing as a whole.
const OPTIONAL_PARTS: &[&str] = &["IdleStop"];

/// Our types in one version.
#[derive(Debug)]
pub struct Ours {
    version: ProtocolVersion,
    open: RefCell<BTreeMap<String, bool>>,
}

impl Ours {
    /// Our types in that version.
    #[must_use]
    pub fn new(version: ProtocolVersion) -> Self {
        Self {
            version,
            open: RefCell::default(),
        }
    }

    /// Every type of ours that the official crate should know too.
    pub fn types(&self) -> impl Iterator<Item = &'static TypeInfo> {
        let version = self.version;
        TYPES
            .iter()
            .copied()
            .filter(move |info| is_there(info.presence, version))
    }

    /// The type that stands behind a name.
    ///
    /// # Panics
    ///
    /// There is no such type.
    #[must_use]
    pub fn find(&self, name: &str) -> &'static TypeInfo {
        let info = TypeInfo::find(name, self.version)
            .or_else(|| TYPES.iter().copied().find(|info| info.name == name))
            .unwrap_or_else(|| panic!("no type {name} in version {}", self.version));
        match info.shape {
            Shape::Alias(TypeRef::Named(target)) => self.find(target),
            _ => info,
        }
    }

    /// Reads a value with our type and writes it back.
    ///
    /// # Errors
    ///
    /// Our type does not read the value.
    pub fn recode(&self, name: &str, value: &Value) -> official::Reading {
        self.recode_text(name, &value.to_string())
    }

    /// The same for a value that is still text.
    ///
    /// # Errors
    ///
    /// Our type does not read the value.
    ///
    /// # Panics
    ///
    /// The name is that of a part which is never read by itself.
    pub fn recode_text(&self, name: &str, text: &str) -> official::Reading {
        let raw: Box<RawValue> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let parsed = || serde_json::from_str(text).map_err(|error| error.to_string());
        if matches!(TypeInfo::find(name, self.version), Some(info) if is_any(info)) {
            return parsed();
        }
        if let Some(mode) = mode(name) {
            return self.recode_mode(mode, &parsed()?);
        }
        let info = self.find(name);
        if let (None, Shape::Alias(TypeRef::Scalar("string"))) = (info.recode(&raw), info.shape) {
            let text = acp_vocab::decode::<Box<str>>(&raw).map_err(|error| error.to_string())?;
            return Ok(json!(text));
        }
        let back = info
            .recode(&raw)
            .unwrap_or_else(|| panic!("{name} is never read by itself"))
            .map_err(|error| error.to_string())?;
        serde_json::from_str(back.get()).map_err(|error| error.to_string())
    }

    /// What our type drops from a value or changes in it; defaults that are not written, or
    /// written where nothing stood, do not count.
    ///
    /// # Errors
    ///
    /// Our type does not read the value.
    pub fn losses(&self, name: &str, value: &Value) -> Result<Vec<Loss>, String> {
        let raw = to_raw_value(value).map_err(|error| error.to_string())?;
        let info = self.find(name);
        if mode(name).is_some() || info.recode(&raw).is_none() {
            return Ok(Vec::new());
        }
        let mut losses = info
            .losses(&raw, self.version)
            .map_err(|error| error.to_string())?;
        losses.retain(|loss| !matches!(loss.reason, LossReason::Default | LossReason::Filled));
        Ok(losses)
    }

    /// A mode of a question is read with the question.
    fn recode_mode(&self, mode: &str, value: &Value) -> official::Reading {
        let Value::Object(members) = value else {
            return Err("no object".to_owned());
        };
        let mut question = json!({"message": "", "mode": mode});
        question
            .as_object_mut()
            .into_iter()
            .for_each(|all| all.extend(members.clone()));
        let mut back = self.recode("CreateElicitationRequest", &question)?;
        for own in ["message", "mode"] {
            back.as_object_mut().and_then(|back| back.shift_remove(own));
        }
        Ok(back)
    }

    /// The members of an object that this version has; nothing for what is no object.
    pub fn members(&self, name: &str) -> impl Iterator<Item = &'static FieldInfo> {
        let info = self.find(name);
        // A type of version 1 that version 2 knows under another name.
        let renamed =
            TypeInfo::find(name, self.version).is_some_and(|entry| entry.name != info.name);
        let version = if renamed && !is_there(info.presence, self.version) {
            ProtocolVersion::V1
        } else {
            self.version
        };
        let fields = match info.shape {
            Shape::Struct { fields, .. } => fields,
            _ => &[],
        };
        // The member without a name stands for all that are not known.
        fields
            .iter()
            .filter(move |field| is_there(field.presence, version) && !field.name.is_empty())
    }

    /// The tags or values of a type that this version has.
    #[must_use]
    pub fn words(&self, shape: Shape) -> Vec<&'static str> {
        let there = |presence| is_there(presence, self.version);
        match shape {
            Shape::Union { variants, .. } => variants
                .iter()
                .filter(|variant| there(variant.presence))
                .map(|variant| variant.tag)
                .collect(),
            Shape::Enum(values) => values
                .iter()
                .filter(|value| there(value.presence))
                .map(|value| value.value)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A value of the named type.
    pub fn value(&self, name: &str, choose: &mut dyn Choose) -> Value {
        let mut value = self.named(name, choose, DEPTH);
        if let (Some(_), Value::Object(object)) = (mode(name), &mut value)
            && let Value::Object(scope) = self.named("ElicitationScope", choose, DEPTH)
        {
            object.extend(scope);
        }
        value
    }

    /// A value of a type as a member refers to it.
    pub fn reference(&self, ty: TypeRef, choose: &mut dyn Choose) -> Value {
        self.referred(ty, choose, DEPTH)
    }

    fn named(&self, name: &str, choose: &mut dyn Choose, depth: usize) -> Value {
        match name {
            "IdempotencyKey" => return json!(format!("k{}", choose.text())),
            "MessageMcpResponse" => {
                let mut answer = match choose.pick(2) {
                    0 => json!({"result": choose.json(2)}),
                    _ => json!({"error": self.named("McpError", choose, depth)}),
                };
                if choose.there() {
                    answer["_meta"] = choose.object(2);
                }
                return answer;
            }
            "SessionConfigOptionValue" if self.version == ProtocolVersion::V1 => {
                return match choose.pick(2) {
                    0 => json!({"value": choose.text()}),
                    _ => json!({"type": "boolean", "value": choose.pick(2) == 1}),
                };
            }
            _ => {}
        }
        let info = self.find(name);
        match info.shape {
            Shape::Struct { .. } => self.object(name, choose, depth),
            Shape::Union { tag, untagged, .. } => {
                let unheard = || self.unheard(info, tag);
                let open = self.is_open(name, || {
                    Definition::find(self.version, name)?
                        .recode(&unheard())
                        .ok()
                });
                self.variant(info, untagged, open.then_some(&unheard), choose, depth)
            }
            Shape::Enum(_) => {
                let words = self.words(info.shape);
                let open = self.is_open(name, || {
                    Definition::find(self.version, name)?
                        .recode(&json!(UNHEARD))
                        .ok()
                });
                let index = choose.pick(words.len() + usize::from(open));
                json!(words.get(index).copied().unwrap_or(UNHEARD))
            }
            Shape::Alias(target) => self.referred(target, choose, depth),
            Shape::Choice(types) => {
                let sent: Vec<TypeRef> = types
                    .iter()
                    .filter(|ty| !NOT_SENT.contains(&(self.version.0, info.name, **ty)))
                    .copied()
                    .collect();
                self.referred(sent[choose.pick(sent.len())], choose, depth)
            }
            _ => panic!("{name} has a new shape"),
        }
    }

    fn object(&self, name: &str, choose: &mut dyn Choose, depth: usize) -> Value {
        let mut object = Map::new();
        for field in self.members(name) {
            if field.rule == Rule::Flattened {
                object.extend(self.part(name, field, choose, depth));
            } else if NEVER_EMPTY.contains(&(self.version.0, name, field.name)) {
                let more = self.referred(field.ty, choose, depth);
                let TypeRef::List(item) = field.ty else {
                    panic!("{name}.{} is no list", field.name);
                };
                let mut items = vec![self.referred(*item, choose, depth.saturating_sub(1))];
                items.extend(more.as_array().into_iter().flatten().cloned());
                object.insert(field.name.to_owned(), Value::Array(items));
            } else if let Some(value) = self.member(field, choose, depth) {
                let wider = WIDER.iter().any(|(owner, member, wider)| {
                    (*owner, *member) == (name, field.name) && wider.takes(&value)
                });
                if self.version == ProtocolVersion::V2 || !wider {
                    object.insert(field.name.to_owned(), value);
                }
            }
        }
        Value::Object(object)
    }

    /// The value of a member, or nothing where it is left out.
    fn member(&self, field: &FieldInfo, choose: &mut dyn Choose, depth: usize) -> Option<Value> {
        let required = field.rule.is_required();
        if !required && (depth == 0 || !choose.there()) {
            return None;
        }
        let null = field.rule.null() == Reading::Kept;
        if null && choose.pick(4) == 3 {
            return Some(Value::Null);
        }
        // Where any JSON may stand, `null` is mostly the same as nothing.
        Some(self.referred(field.ty, choose, depth.saturating_sub(1)))
            .filter(|value| !value.is_null() || null || required)
    }

    /// The members that a part adds to the object which holds it.
    fn part(
        &self,
        owner: &str,
        field: &FieldInfo,
        choose: &mut dyn Choose,
        depth: usize,
    ) -> Map<String, Value> {
        let TypeRef::Named(name) = field.ty else {
            panic!("{} is of no named type", field.name);
        };
        if OPTIONAL_PARTS.contains(&name) && !choose.there() {
            return Map::new();
        }
        let info = self.find(name);
        let part = match info.shape {
            Shape::Union { tag, untagged, .. } => {
                let open = self.is_open(name, || {
                    let mut whole = self.without_parts(owner, &mut Least);
                    whole[tag] = json!(UNHEARD);
                    Definition::find(self.version, owner)?.recode(&whole).ok()
                });
                let unheard = || json!({tag: UNHEARD});
                self.variant(info, untagged, open.then_some(&unheard), choose, depth)
            }
            _ => self.named(name, choose, depth),
        };
        let Value::Object(part) = part else {
            panic!("{name} is no object");
        };
        part
    }

    /// A plain object with no word that only some of its variants know.
    fn without_parts(&self, owner: &str, choose: &mut Least) -> Value {
        let mut object = Map::new();
        for field in self.members(owner) {
            match (field.rule, field.ty) {
                (Rule::Flattened, TypeRef::Named(name))
                    if matches!(self.find(name).shape, Shape::Choice(_)) =>
                {
                    object.extend(self.part(owner, field, choose, 1));
                }
                (Rule::Flattened, _) => {}
                _ => {
                    let value = self.member(field, choose, 1);
                    object.extend(value.map(|value| (field.name.to_owned(), value)));
                }
            }
        }
        Value::Object(object)
    }

    fn variant(
        &self,
        info: &TypeInfo,
        untagged: Option<&str>,
        unheard: Option<&dyn Fn() -> Value>,
        choose: &mut dyn Choose,
        depth: usize,
    ) -> Value {
        let Shape::Union { tag, variants, .. } = info.shape else {
            panic!("{} is no union", info.name);
        };
        let known: Vec<_> = variants
            .iter()
            .filter(|variant| is_there(variant.presence, self.version))
            .collect();
        let extra = usize::from(untagged.is_some());
        let index = choose.pick(known.len() + extra + usize::from(unheard.is_some()));
        if let Some(variant) = known.get(index) {
            let body = variant.body.map(|body| self.named(body, choose, depth));
            let mut object = json!({tag: variant.tag});
            if let (Value::Object(object), Some(Value::Object(body))) = (&mut object, body) {
                object.extend(body);
            }
            object
        } else if let Some(body) = untagged.filter(|_| index == known.len()) {
            self.named(body, choose, depth)
        } else {
            let mut value = unheard.map_or(Value::Null, |unheard| unheard());
            value["_one"] = choose.json(2);
            value["_two"] = json!([1, {"three": null}]);
            value
        }
    }

    /// A variant that nobody knows, with what the first variant must have: some official types
    /// want what all variants have so far.
    fn unheard(&self, info: &TypeInfo, tag: &str) -> Value {
        let mut value = self.variant(info, None, None, &mut Least, 1);
        value[tag] = json!(UNHEARD);
        value
    }

    /// Whether the official type keeps words that it does not know. Asked once.
    fn is_open(&self, name: &str, ask: impl FnOnce() -> Option<Value>) -> bool {
        if let Some(open) = self.open.borrow().get(name) {
            return *open;
        }
        let open = ask().is_some_and(|back| back.to_string().contains(UNHEARD));
        self.open.borrow_mut().insert(name.to_owned(), open);
        open
    }

    /// The unions and enums that came up so far and that the official type closes.
    #[must_use]
    pub fn closed(&self) -> Vec<String> {
        let open = self.open.borrow();
        open.iter()
            .filter(|(_, open)| !**open)
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn referred(&self, ty: TypeRef, choose: &mut dyn Choose, depth: usize) -> Value {
        match ty {
            TypeRef::Named(name) => self.named(name, choose, depth),
            TypeRef::Scalar(name) => scalar(name, choose),
            TypeRef::List(item) => {
                let count = if depth == 0 { 0 } else { choose.many() };
                (0..count)
                    .map(|_| self.referred(*item, choose, depth - 1))
                    .collect()
            }
            TypeRef::Map(value) => {
                let count = if depth == 0 { 0 } else { choose.many() };
                let members = (0..count).map(|index| {
                    let name = format!("{index}{}", choose.text());
                    (name, self.referred(*value, choose, depth - 1))
                });
                Value::Object(members.collect())
            }
            _ => panic!("{ty} is a new kind of type"),
        }
    }
}

/// The mode that an official type stands for which holds the scope of a question too. Here the
/// scope is a part of the question.
fn mode(name: &str) -> Option<&'static str> {
    match name {
        "ElicitationFormMode" => Some("form"),
        "ElicitationUrlMode" => Some("url"),
        _ => None,
    }
}

/// Whether a version of the official crate has a word.
fn is_there(presence: Presence, version: ProtocolVersion) -> bool {
    presence.within(version).is_some_and(|stability| {
        !matches!(
            stability,
            Stability::StableDropped | Stability::UnstableDropped | Stability::Legacy
        )
    })
}

/// Whether a type is any JSON.
fn is_any(info: &TypeInfo) -> bool {
    matches!(info.shape, Shape::Alias(TypeRef::Scalar("any")))
}

fn scalar(name: &str, choose: &mut dyn Choose) -> Value {
    let numbers: &[Value] = &match name {
        "string" => return json!(choose.text()),
        "boolean" => return json!(choose.pick(2) == 1),
        "object" => return choose.object(2),
        "any" => return choose.json(3),
        "null" => return Value::Null,
        "f64" => [
            json!(0.5),
            json!(-1.25),
            json!(1e300),
            json!(3.0),
            json!(0.1),
        ],
        "u16" => [json!(1), json!(0), json!(2), json!(255), json!(u16::MAX)],
        "u16>=1" => [json!(1), json!(2), json!(80), json!(255), json!(u16::MAX)],
        "u32" => [json!(1), json!(0), json!(2), json!(65536), json!(u32::MAX)],
        "u32>=1" => [json!(1), json!(2), json!(80), json!(65536), json!(u32::MAX)],
        "u64" => [
            json!(1),
            json!(0),
            json!(1u64 << 53),
            json!(i64::MAX),
            json!(u64::MAX),
        ],
        "i32" => [
            json!(1),
            json!(0),
            json!(-1),
            json!(i32::MIN),
            json!(i32::MAX),
        ],
        "i64" => [
            json!(1),
            json!(0),
            json!(-1),
            json!(i64::MIN),
            json!(i64::MAX),
        ],
        other => panic!("{other} is a new kind of scalar"),
    };
    numbers[choose.pick(numbers.len())].clone()
}
