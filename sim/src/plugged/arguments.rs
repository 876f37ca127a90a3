//! What a plugin is told when it is loaded: `name=value` each, numbers in decimal.

use std::path::PathBuf;
use std::str::FromStr;

/// All of it; of several values of a name, the last one.
pub(crate) struct Arguments<'a>(pub(crate) &'a [String]);

impl<'a> Arguments<'a> {
    pub(crate) fn value(&self, name: &str) -> Result<&'a str, String> {
        let all = self.0.iter().rev().filter_map(|argument| argument.split_once('='));
        let mut found = all.filter(|(other, _)| *other == name).map(|(_, value)| value);
        found.next().ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(crate) fn number(&self, name: &str) -> Result<u64, String> {
        let text = self.value(name)?;
        text.parse::<u64>().map_err(|_| format!("`{name}={text}`: not a whole number"))
    }

    pub(crate) fn address(&self, name: &str) -> Result<u32, String> {
        u32::try_from(self.number(name)?).map_err(|_| format!("`{name}` doesn't fit into 32 bits"))
    }

    /// Numbers with points between them.
    pub(crate) fn numbers<N: FromStr>(&self, name: &str) -> Result<Vec<N>, String> {
        let all = self.value(name)?.split('.').filter(|text| !text.is_empty());
        let one = |text: &str| text.parse().map_err(|_| format!("`{text}` in `{name}` is no number"));
        all.map(one).collect()
    }

    /// The file of the memory that board and plugin share, and the address of its first byte; nothing where there is none.
    pub(crate) fn memory(&self) -> Result<Option<(PathBuf, u32)>, String> {
        match self.value("memory") {
            Err(_) => Ok(None),
            Ok(path) => Ok(Some((PathBuf::from(path), self.address("base")?))),
        }
    }
}
