//! Which members an object of a type can have.

use std::{borrow::Cow, collections::BTreeMap};

use crate::{
    describe::{Shape, TypeInfo},
    version::ProtocolVersion,
    wire::{TypeRef, rule::Rule},
};

/// A member of an object: its type and what may stand in its place.
pub(super) type Member = (TypeRef, Rule);

/// The members that an object of a type can have, and their types.
pub(super) fn known(
    ty: TypeRef,
    members: &BTreeMap<Cow<'_, str>, &str>,
    version: ProtocolVersion,
) -> BTreeMap<&'static str, Member> {
    let mut found = BTreeMap::new();
    let TypeRef::Named(name) = ty else {
        return found;
    };
    match TypeInfo::find(name, version).map(|info| info.shape) {
        Some(Shape::Struct { fields, .. }) => {
            for field in fields {
                if field.rule == Rule::Flattened {
                    found.extend(known(field.ty, members, version));
                } else {
                    found.insert(field.name, (field.ty, field.rule));
                }
            }
        }
        Some(Shape::Union {
            tag,
            variants,
            untagged,
        }) => {
            found.insert(tag, (TypeRef::Scalar("string"), Rule::Required));
            let text = members
                .get(tag)
                .and_then(|text| serde_json::from_str::<String>(text).ok());
            let body = variants
                .iter()
                .find(|variant| Some(variant.tag) == text.as_deref())
                .map_or(untagged, |variant| variant.body);
            if let Some(body) = body {
                found.extend(known(TypeRef::Named(body), members, version));
            }
        }
        Some(Shape::Choice(types)) => {
            for ty in types {
                found.extend(known(*ty, members, version));
            }
        }
        Some(Shape::Alias(ty)) => return known(ty, members, version),
        Some(Shape::Enum(_)) | None => {}
    }
    found
}
