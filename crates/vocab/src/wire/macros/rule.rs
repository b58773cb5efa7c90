//! What each rule of a member does, in code.

/// What a rule does, in code. The names are those of [`crate::wire::rule::Rule`].
macro_rules! rule {
    // The table's name of the rule.
    (@name required) => { crate::wire::rule::Rule::Required };
    (@name optional) => { crate::wire::rule::Rule::Optional };
    (@name lenient) => { crate::wire::rule::Rule::Lenient };
    (@name fallback) => { crate::wire::rule::Rule::Fallback };
    (@name quiet) => { crate::wire::rule::Rule::Quiet };
    (@name entries) => { crate::wire::rule::Rule::Entries };
    (@name strict_entries) => { crate::wire::rule::Rule::StrictEntries };
    (@name listed_entries) => { crate::wire::rule::Rule::ListedEntries };
    (@name quiet_entries) => { crate::wire::rule::Rule::QuietEntries };
    (@name items) => { crate::wire::rule::Rule::Items };
    (@name argument) => { crate::wire::rule::Rule::Argument };
    (@name quiet_argument) => { crate::wire::rule::Rule::QuietArgument };
    (@name given) => { crate::wire::rule::Rule::Given };
    (@name quiet_given) => { crate::wire::rule::Rule::QuietGiven };
    (@name patch) => { crate::wire::rule::Rule::Patch };
    (@name strict_patch) => { crate::wire::rule::Rule::StrictPatch };
    (@name patch_items) => { crate::wire::rule::Rule::PatchItems };
    (@name verbatim) => { crate::wire::rule::Rule::Verbatim };
    (@name expected) => {
        crate::wire::rule::Rule::Expected
    };
    (@name more) => {
        crate::wire::rule::Rule::More
    };
    (@name flattened) => { crate::wire::rule::Rule::Flattened };
    (@name flattened_option) => { crate::wire::rule::Rule::Flattened };

    // The type that the table shows.
    (@type flattened, $ty:ty) => { <$ty as crate::wire::Flat>::TYPE };
    (@type flattened_option, $ty:ty) => { <$ty as crate::wire::Flat>::TYPE };
    (@type $rule:ident, $ty:ty) => { <$ty as crate::wire::Wire>::TYPE };

    // What stands in the field before the members are read.
    (@slot required, $members:ident) => { None };
    (@slot entries, $members:ident) => { None };
    (@slot strict_entries, $members:ident) => { None };
    (@slot argument, $members:ident) => { None };
    (@slot flattened, $members:ident) => { $members.fork() };
    (@slot flattened_option, $members:ident) => { $members.fork() };
    (@slot $rule:ident, $members:ident) => { Default::default() };

    // Reads the member's value.
    (@read required, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(<$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?)
    };
    (@read optional, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::optional($cursor).map_err(|error| error.inside($wire))?
    };
    (@read lenient, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor)
    };
    (@read expected, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor).unwrap_or_default()
    };
    (@read fallback, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor).unwrap_or_default()
    };
    (@read quiet, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor).unwrap_or_default()
    };
    (@read entries, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::rule::items($cursor).unwrap_or_default())
    };
    (@read strict_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::rule::strict_items($cursor).map_err(|error| error.inside($wire))?)
    };
    (@read listed_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor).unwrap_or_default()
    };
    (@read quiet_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor).unwrap_or_default()
    };
    (@read items, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor)
    };
    (@read argument, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(
            crate::wire::rule::optional::<$ty>($cursor)
                .map_err(|error| error.inside($wire))?
                .unwrap_or_default(),
        )
    };
    (@read quiet_argument, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::optional::<$ty>($cursor)
            .map_err(|error| error.inside($wire))?
            .unwrap_or_default()
    };
    (@read given, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read quiet_given, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read patch, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::patch($cursor)
    };
    (@read strict_patch, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read patch_items, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::patch_items($cursor)
    };
    (@read verbatim, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::Wire::read($cursor).map_err(|error| error.inside($wire))?)
    };

    // The field's value once all members are read.
    (@done required, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done entries, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done strict_entries, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done argument, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done flattened, $slot:ident, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Flat>::read_flat($slot.members())?
    };
    (@done flattened_option, $slot:ident, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Flat>::read_flat($slot.members())?
    };
    (@done $rule:ident, $slot:ident, $wire:literal, $ty:ty) => { $slot };

    // What becomes of a member that is not known.
    (@unknown more, $field:ident, $name:ident, $text:ident) => {
        crate::wire::keep(&mut $field, &$name, $text)
    };
    (@unknown $rule:ident, $field:ident, $name:ident, $text:ident) => {};

    // The field's value in `new`.
    (@init required, $field:ident) => { $field.into() };
    (@init entries, $field:ident) => { $field.into() };
    (@init strict_entries, $field:ident) => { $field.into() };
    (@init expected, $field:ident) => {
        $field.into()
    };
    (@init flattened, $field:ident) => { $field.into() };
    (@init $rule:ident, $field:ident) => { Default::default() };

    // Writes the member.
    (@write optional, $value:expr, $map:ident, $wire:literal) => {
        if let Some(value) = &$value {
            $map.serialize_entry($wire, value)?;
        }
    };
    (@write lenient, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write items, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write verbatim, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write quiet, $value:expr, $map:ident, $wire:literal) => {
        if !crate::wire::is_default(&$value) {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write quiet_entries, $value:expr, $map:ident, $wire:literal) => {
        if !$value.is_empty() {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write quiet_argument, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write quiet_entries, $value, $map, $wire);
    };
    (@write quiet_given, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write quiet_entries, $value, $map, $wire);
    };
    (@write patch, $value:expr, $map:ident, $wire:literal) => {
        if !$value.is_absent() {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write strict_patch, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write patch, $value, $map, $wire);
    };
    (@write patch_items, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write patch, $value, $map, $wire);
    };
    (@write more, $value:expr, $map:ident, $wire:literal) => {
        for (name, value) in &$value {
            $map.serialize_entry(name, value)?;
        }
    };
    (@write flattened, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::Flat::write_flat(&$value, $map, <Self as crate::wire::Body>::OWN)?;
    };
    (@write flattened_option, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::Flat::write_flat(&$value, $map, <Self as crate::wire::Body>::OWN)?;
    };
    (@write $rule:ident, $value:expr, $map:ident, $wire:literal) => {
        $map.serialize_entry($wire, &$value)?;
    };
}

pub(crate) use rule;
