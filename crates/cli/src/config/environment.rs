//! The layer of the environment.

use std::ffi::OsString;

use super::{
    origin::{Given, Origin},
    table::{self, Kind, SETTINGS, Setting, Value},
};
use crate::{hiargs::Misuse, nearest, safe};

/// What the program reads besides settings.
const OTHER_VARIABLES: [&str; 2] = ["ACP_CONFIG", "ACP_TEST_CLOCK"];

/// Variables that are nearly settings: whoever set them meant something else than nothing.
pub(crate) fn misspelt<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let known: Vec<String> = SETTINGS.iter().map(Setting::env).collect();
    names
        .into_iter()
        .filter(|name| name.starts_with("ACP_") && !OTHER_VARIABLES.contains(name))
        .filter(|name| !known.iter().any(|known| known == name))
        .filter_map(|name| {
            let near = nearest::nearest(name, known.iter().map(String::as_str));
            let near = near.first()?;
            let name = safe::line(name, 80);
            Some(format!("{name} is no setting; did you mean {near}?"))
        })
        .collect()
}

/// What the environment gives. Nothing in a variable is as if it were not set; a list has one item a line.
pub(super) fn read(var: impl Fn(&str) -> Option<OsString>) -> Result<Vec<Given>, Misuse> {
    let mut all = Vec::new();
    for setting in SETTINGS {
        let name = setting.env();
        let Some(value) = var(&name).filter(|value| !value.is_empty()) else {
            continue;
        };
        let wrong = || Misuse::new(format!("{name} takes {}", setting.expects()));
        let text = value.into_string().map_err(|_| wrong())?;
        let value = match setting.kind {
            Kind::Switch => Value::Switch(table::switch(&text).ok_or_else(wrong)?),
            Kind::List | Kind::Sum => {
                let lines = text.lines().filter(|line| !line.is_empty());
                Value::List(lines.map(ToOwned::to_owned).collect())
            }
            _ if setting.takes(&text) => Value::Text(text),
            _ => {
                let misuse = wrong();
                let typed = safe::line(&text, 40);
                return Err(Misuse::new(format!("{}, not {typed}", misuse.message)));
            }
        };
        let origin = Origin::Variable(name);
        all.push(Given {
            setting,
            value,
            origin,
        });
    }
    Ok(all)
}
