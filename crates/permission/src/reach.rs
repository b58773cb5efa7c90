//! What a rule says about paths, held against what a request reaches.

use std::collections::BTreeSet;

use crate::{
    Kind, Request,
    glob::{PathGlob, PlacedGlob},
    links::Links,
    place::Place,
};

/// Most different words of a command that are followed over symbolic links; with more of them it may reach anything.
const MAX_FOLLOWED: usize = 4096;

/// One condition on paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathCondition {
    Inside(Box<str>),
    Glob(PathGlob),
}

impl PathCondition {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Inside(dir) => dir,
            Self::Glob(glob) => glob.text(),
        }
    }

    /// Whether every path that `other` is about is one that this is about.
    pub(crate) fn includes(&self, other: &Self, root: Option<&str>) -> bool {
        // Any root will do, as long as nothing that is written out lies in it.
        let root = root.or(Some("/.root"));
        let both = self.placed(root).zip(other.placed(root));
        both.is_some_and(|(wider, narrower)| wider.includes(&narrower))
    }

    fn placed(&self, root: Option<&str>) -> Option<PlacedGlob> {
        match self {
            Self::Inside(dir) => Place::of(dir, root).map(PlacedGlob::below),
            Self::Glob(glob) => glob.placed(root),
        }
    }

    /// As [`placed`](Self::placed); one that needs a root and has none may lie anywhere.
    fn placed_somewhere(&self, root: Option<&str>) -> PlacedGlob {
        self.placed(root).unwrap_or_else(|| match self {
            Self::Inside(dir) => PathGlob::new(dir).anywhere(),
            Self::Glob(glob) => glob.anywhere(),
        })
    }
}

/// Where the rules stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ground<'a> {
    /// Below which relative patterns lie.
    pub(crate) root: Option<&'a str>,
    pub(crate) links: Option<&'a Links>,
}

impl<'a> Ground<'a> {
    fn root(self, request: &'a Request) -> Option<&'a str> {
        self.root.or_else(|| request.directory())
    }

    /// Whether every path of `request` lies where all of `conditions` are about, by its letters and by where it leads.
    pub(crate) fn covers(self, conditions: &[PathCondition], request: &Request) -> bool {
        let root = self.root(request);
        let Some(globs) = conditions
            .iter()
            .map(|condition| condition.placed(root))
            .collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let covered =
            |globs: &[PlacedGlob], place: &Place| globs.iter().all(|glob| glob.covers(place));
        let mut places = request.places().peekable();
        if places.peek().is_none() {
            return false;
        }
        if !places.all(|place| place.is_some_and(|place| covered(&globs, &place))) {
            return false;
        }
        let Some(links) = self.links else { return true };
        let Some(real_globs) = globs
            .iter()
            .map(|glob| real_glob(links, glob))
            .collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        request.paths().all(|path| {
            real_place(links, path, request.directory())
                .is_some_and(|place| covered(&real_globs, &place))
        })
    }

    /// Whether a path of `request` lies where `conditions` are about, or a word of its command does.
    /// One that cannot be placed cannot be shown to lie elsewhere.
    pub(crate) fn touches(self, conditions: &[PathCondition], request: &Request) -> bool {
        let root = self.root(request);
        let globs: Vec<PlacedGlob> = conditions
            .iter()
            .map(|condition| condition.placed_somewhere(root))
            .collect();
        let real_globs: Vec<PlacedGlob> = self.links.map_or_else(Vec::new, |links| {
            let real = |glob: &PlacedGlob| real_glob(links, glob).unwrap_or_else(|| glob.clone());
            globs.iter().map(real).collect()
        });
        // What removes or renames a directory does so to all that lies in it.
        let whole_trees = matches!(request.kind(), Kind::Delete | Kind::Move);
        let holds = |globs: &[PlacedGlob], place: &Place, trees: bool| {
            globs
                .iter()
                .all(|glob| glob.covers_folded(place) || (trees && glob.lies_below(place)))
        };
        let really = |path: &str, directory: Option<&str>, trees: bool| {
            self.links
                .and_then(|links| real_place(links, path, directory))
                .is_some_and(|place| holds(&real_globs, &place, trees))
        };
        let by_letters =
            |place: Option<Place>| place.is_none_or(|place| holds(&globs, &place, whole_trees));
        if request.places().any(by_letters)
            || request
                .paths()
                .any(|path| really(path, request.directory(), whole_trees))
        {
            return true;
        }
        let Some(command) = request.command() else {
            return false;
        };
        let directory = request.command_directory().or_else(|| request.directory());
        let words: BTreeSet<String> = command.words().into_iter().collect();
        let is_there = |word: &String| {
            Place::of(word, directory).is_some_and(|place| holds(&globs, &place, false))
        };
        let may_be_there = |word: &String| {
            word.contains(['/', '*', '?', '[', '{'])
                && Place::of_pattern(word, directory)
                    .is_some_and(|place| globs.iter().all(|glob| glob.meets(&place)))
        };
        words.iter().any(is_there)
            || command.patterns().iter().any(may_be_there)
            || (self.links.is_some() && words.len() > MAX_FOLLOWED)
            || words.iter().any(|word| really(word, directory, false))
    }
}

/// Where a path leads; `None` where it cannot be placed or followed.
fn real_place(links: &Links, path: &str, directory: Option<&str>) -> Option<Place> {
    // What cannot be placed by its letters is not asked about.
    Place::of(path, directory)?;
    let absolute = if Place::of(path, None).is_some() {
        path.to_owned()
    } else {
        format!("{}/{path}", directory?)
    };
    Place::of(&links.real(&absolute)?, None)
}

/// The pattern behind the links on the way to it.
fn real_glob(links: &Links, glob: &PlacedGlob) -> Option<PlacedGlob> {
    let (head, rest) = glob.head();
    Some(glob.behind(Place::of(&links.real(&head)?, None)?, rest))
}
