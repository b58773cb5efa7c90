//! A smallest valid value of any type, made from the tables of the crate.

use acp_vocab::{FieldInfo, ProtocolVersion, Rule, Shape, TYPES, TypeInfo, TypeRef};
use serde_json::{Map, Value, json};

/// The entry of a name: that of the version, or that of the name which the version aliases.
pub(crate) fn find(name: &str, version: ProtocolVersion) -> &'static TypeInfo {
    let info = TypeInfo::find(name, version)
        .or_else(|| TYPES.iter().copied().find(|info| info.name == name))
        .unwrap_or_else(|| panic!("no type {name} in v{version}"));
    match info.shape {
        Shape::Alias(TypeRef::Named(target)) => find(target, version),
        _ => info,
    }
}

/// A value of the named type with everything that it must have.
pub(crate) fn named(name: &str, version: ProtocolVersion) -> Value {
    match name {
        "RequestId" => return json!(7),
        "SessionConfigSelectOptions" => return json!([]),
        "MessageMcpResponse" => return json!({"result": {}}),
        "SessionConfigOptionValue" if version == ProtocolVersion::V1 => {
            return json!({"value": "x"});
        }
        _ => {}
    }
    match find(name, version).shape {
        Shape::Struct { fields, .. } => {
            let mut object = Map::new();
            for field in fields {
                add(field, version, &mut object);
            }
            Value::Object(object)
        }
        Shape::Union { tag, variants, .. } => {
            let variant = variants
                .iter()
                .find(|variant| variant.presence.within(version).is_some())
                .unwrap_or_else(|| panic!("no variant of {name} in v{version}"));
            let mut value = variant
                .body
                .map_or_else(|| json!({}), |body| named(body, version));
            value[tag] = json!(variant.tag);
            value
        }
        Shape::Enum(values) => json!(values[0].value),
        Shape::Alias(target) | Shape::Choice(&[target, ..]) => reference(target, version),
        _ => panic!("{name} has no sample"),
    }
}

fn add(field: &FieldInfo, version: ProtocolVersion, object: &mut Map<String, Value>) {
    match field.rule {
        Rule::Flattened => {
            let TypeRef::Named(name) = field.ty else {
                panic!("a flattened member of no named type");
            };
            let part = named(name, version);
            object.extend(part.as_object().expect("flat types are objects").clone());
        }
        rule if rule.is_required() || rule == Rule::Expected => {
            object.insert(field.name.to_owned(), reference(field.ty, version));
        }
        _ => {}
    }
}

/// A value of a type as a member refers to it.
pub(crate) fn reference(ty: TypeRef, version: ProtocolVersion) -> Value {
    match ty {
        TypeRef::Named(name) => named(name, version),
        TypeRef::Scalar("string") => json!("x"),
        TypeRef::Scalar("boolean") => json!(true),
        TypeRef::Scalar("any" | "object") => json!({"any": [1, "two"]}),
        TypeRef::Scalar("f64") => json!(0.5),
        TypeRef::Scalar(_) => json!(3),
        TypeRef::List(item) => json!([reference(*item, version)]),
        TypeRef::Map(value) => json!({"key": reference(*value, version)}),
        _ => panic!("a new kind of type"),
    }
}

/// Decodes a value as the named type and writes it back.
pub(crate) fn recode(name: &str, version: ProtocolVersion, input: &Value) -> Result<Value, String> {
    let raw = serde_json::value::to_raw_value(input).unwrap();
    find(name, version)
        .recode(&raw)
        .unwrap_or_else(|| panic!("{name} stands only inside another type"))
        .map(|output| serde_json::from_str(output.get()).unwrap())
        .map_err(|error| error.to_string())
}
