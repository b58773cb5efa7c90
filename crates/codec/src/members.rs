//! Chosen members of a JSON object, each as the raw JSON it came as: one pass, nothing copied.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// Finds the members of these names in one JSON object that is the whole of `json`.
///
/// Other members are ignored. A member that comes twice counts as its last value, as in
/// JavaScript. Values may nest as deep as they like: nothing here recurses.
pub(crate) fn members<'a, const N: usize>(
    json: &'a str,
    names: [&'static str; N],
) -> serde_json::Result<[Option<&'a RawValue>; N]> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let members = deserializer.deserialize_map(Chosen { names })?;
    deserializer.end()?;
    Ok(members)
}

/// The text of a member that is there and not null.
pub(crate) fn present(member: Option<&RawValue>) -> Option<&str> {
    member.map(RawValue::get).filter(|json| *json != "null")
}

struct Chosen<const N: usize> {
    names: [&'static str; N],
}

impl<'de, const N: usize> Visitor<'de> for Chosen<N> {
    type Value = [Option<&'de RawValue>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(index) = map.next_key_seed(Name(&self.names))? {
            match index.and_then(|index| found.get_mut(index)) {
                Some(slot) => *slot = Some(map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// Reads a member's name. As bytes, because a name with half a surrogate pair in it is no text,
/// and a strange name that is of no concern to us must not cost the line.
struct Name<'a>(&'a [&'static str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| known.as_bytes() == name))
    }
}
