//! Our types: how they read and write, and what they have in one version.

mod sent;
mod value;

use std::{cell::RefCell, collections::BTreeMap};

use acp_vocab::{
    FieldInfo, Loss, LossReason, Presence, ProtocolVersion, Shape, Stability, TYPES, TypeInfo,
    TypeRef,
};
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

pub use self::sent::{WIDER, Wider};
use crate::official;

/// The versions that are compared.
pub const VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V1, ProtocolVersion::V2];

/// A word that no version of the protocol has.
pub const UNHEARD: &str = "_unheard";

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
