//! Values of our types, made from the tables of `acp-vocab`.

use acp_vocab::{FieldInfo, ProtocolVersion, Reading, Rule, Shape, TypeInfo, TypeRef};
use serde_json::{Map, Value, json};

use super::{
    Ours, UNHEARD, is_there, mode,
    sent::{NEVER_EMPTY, NOT_SENT, OPTIONAL_PARTS, WIDER},
};
use crate::{
    choose::{Choose, Least},
    official::Definition,
};

/// How deep generated values nest before they become as plain as they can be.
const DEPTH: usize = 5;

impl Ours {
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
