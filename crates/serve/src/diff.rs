//! A change of a text file: two texts for version 1, a list of changes with a patch for version 2.

use acp_vocab::{v1, v2};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// What a tool does, or did, to one text file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileChange {
    /// The file, by its absolute path.
    pub path: Box<str>,
    /// Its text before; `None` for a new file.
    pub old: Option<Box<str>>,
    /// Its text after.
    pub new: Box<str>,
}

impl FileChange {
    /// A new file.
    pub fn added(path: impl Into<Box<str>>, text: impl Into<Box<str>>) -> Self {
        Self {
            path: path.into(),
            old: None,
            new: text.into(),
        }
    }

    /// A file with other text than before.
    pub fn modified(
        path: impl Into<Box<str>>,
        old: impl Into<Box<str>>,
        new: impl Into<Box<str>>,
    ) -> Self {
        Self {
            path: path.into(),
            old: Some(old.into()),
            new: new.into(),
        }
    }

    pub(crate) fn v1(&self) -> v1::Diff {
        let mut diff = v1::Diff::new(self.path.clone(), self.new.clone());
        diff.old_text.clone_from(&self.old);
        diff
    }

    pub(crate) fn v2(&self) -> v2::Diff {
        let path = v2::DiffPathChange::new(self.path.clone());
        let operation = match self.old {
            None => v2::DiffOperation::Add(path),
            Some(_) => v2::DiffOperation::Modify(path),
        };
        let mut change = v2::DiffChange::new(operation);
        change.file_type = Some(v2::DiffFileType::Text);
        let mut diff = v2::Diff::new(vec![change]);
        diff.patch = Some(v2::DiffPatch::new(
            v2::DiffPatchFormat::GitPatch,
            self.patch(),
        ));
        diff
    }

    /// One `diff --git` section with one hunk: from the first line that differs to the last.
    pub(crate) fn patch(&self) -> String {
        let path = self.path.trim_start_matches('/');
        let mut patch = format!("diff --git a/{path} b/{path}\n");
        match self.old {
            None => {
                patch.push_str("new file mode 100644\n--- /dev/null\n");
            }
            Some(_) => {
                patch.push_str(&format!("--- a/{path}\n"));
            }
        }
        patch.push_str(&format!("+++ b/{path}\n"));
        let old = lines(self.old.as_deref().unwrap_or_default());
        let new = lines(&self.new);
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - head;
        let tail = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(rest)
            .take_while(|(a, b)| a == b)
            .count();
        let from = head.saturating_sub(CONTEXT);
        let after = tail.min(CONTEXT);
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let (old_len, new_len) = (old_end + after - from, new_end + after - from);
        let start = |len: usize| if len == 0 { from } else { from + 1 };
        patch.push_str(&format!(
            "@@ -{},{old_len} +{},{new_len} @@\n",
            start(old_len),
            start(new_len)
        ));
        put(&mut patch, ' ', old.get(from..head));
        put(&mut patch, '-', old.get(head..old_end));
        put(&mut patch, '+', new.get(head..new_end));
        put(&mut patch, ' ', old.get(old_end..old_end + after));
        patch
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn put(patch: &mut String, mark: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        patch.push(mark);
        patch.push_str(line);
        if !line.ends_with('\n') {
            patch.push_str("\n\\ No newline at end of file\n");
        }
    }
}
