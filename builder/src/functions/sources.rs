//! The sources of an application as texts: which names stand in them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::description::closest;

/// How much text is looked at before a crate is called too large to say anything about it.
const MOST: u64 = 16 << 20;

/// The texts of a crate, or of files in C.
pub(super) struct Sources {
    text: String,
    /// Whether names may come from elsewhere, or there is too much text.
    is_open: bool,
}

impl Sources {
    pub(super) fn of(folder: &Path) -> Sources {
        let mut files = Vec::new();
        collect(folder, &mut files, 0);
        Sources::read(files)
    }

    pub(super) fn read(files: Vec<PathBuf>) -> Sources {
        let length = |file: &PathBuf| fs::metadata(file).map_or(0, |known| known.len());
        if files.iter().map(length).sum::<u64>() > MOST {
            return Sources { text: String::new(), is_open: true };
        }
        let texts: Vec<_> = files.iter().map(fs::read_to_string).collect();
        let is_open = texts.is_empty() || texts.iter().any(Result::is_err);
        let text: String = texts.into_iter().flatten().map(|text| text + "\n").collect();
        let is_open = is_open || names_others(&text);
        Sources { text, is_open }
    }

    /// The name of a function here that resembles another.
    pub(super) fn closest(&self, name: &str) -> Option<&str> {
        let words: Vec<_> = self.text.split_whitespace().collect();
        let named = words.windows(2).filter(|pair| pair[0] == "fn").map(|pair| pair[1]);
        let known: Vec<_> = named.filter_map(|text| text.split(['(', '<']).next()).collect();
        closest(name, &known)
    }

    /// All of it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing of that name can be here.
    pub(super) fn lack(&self, name: &str) -> bool {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !self.is_open && !self.text.split(|letter| !is_word(letter)).any(|word| word == name)
    }
}

/// Whether names may come from what isn't in a text: from macros, texts that are included, all of another crate.
fn names_others(text: &str) -> bool {
    let passed_on = |rest: &str| rest.split(';').next().is_some_and(|names| names.contains('*'));
    let signs = ["macro_rules!", "include!", "#include"];
    signs.iter().any(|sign| text.contains(sign)) || text.split("pub use ").skip(1).any(passed_on)
}

/// The files with Rust in a folder. Nobody nests modules deeper.
fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    const DEEPEST: usize = 16;
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && depth < DEEPEST {
            collect(&path, files, depth + 1);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sources, names_others};

    fn sources(text: &str) -> Sources {
        Sources { text: text.to_owned(), is_open: false }
    }

    #[test]
    fn a_name_is_a_whole_word() {
        let some = sources("pub fn set_lamp(on: &u8) {}\npub use other::get as read_lamp;");
        assert!(!some.lack("set_lamp") && !some.lack("read_lamp"));
        assert!(some.lack("lamp") && some.lack("set_lamps"));
    }

    #[test]
    fn who_can_not_know_says_nothing() {
        assert!(names_others("pub use other::{some::*, more};") && names_others("macro_rules! define {}"));
        assert!(!names_others("pub use other::one;\nuse super::*;\nlet a = b * c;"));
        assert!(!Sources::read(Vec::new()).lack("anything"), "no file is there to look at");
        let macros = Sources { is_open: true, ..sources("") };
        assert!(!macros.lack("anything"));
    }
}
