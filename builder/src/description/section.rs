//! A table of the description: its known keys, read one by one, and complaints about all others.

use super::diagnostic::{Problem, Reporter};
use super::suggestion::{Quoted, closest, meant};
use super::value::{NAME_RULE, Text, Value, Wrong, is_name, wrong_kind};
use super::{Placed, code};
use beryl_timing::Help;
use miette::SourceSpan;
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Key<'a> = Spanned<Cow<'a, str>>;

/// A table and what it describes.
pub(super) struct Section<'a> {
    /// For sentences: "the system", "task `navigate`".
    what: String,
    pub(super) place: SourceSpan,
    table: &'a DeTable<'a>,
    keys: &'static [&'static str],
}

/// A table, by the name under which it stands.
pub(super) struct Entry<'a> {
    pub(super) name: Placed<String>,
    value: &'a Spanned<DeValue<'a>>,
}

/// The place of a key or value.
pub(super) fn place<T>(spanned: &Spanned<T>) -> SourceSpan {
    spanned.span().into()
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn file(
        table: &'a DeTable<'a>,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Section<'a> {
        let section = Section { what: "the description".to_owned(), place: (0, 0).into(), table, keys };
        section.refuse_unknown(reporter);
        section
    }

    /// The table `value` with `keys`.
    fn open(
        what: String,
        place: SourceSpan,
        value: &'a DeValue<'a>,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        let Some(table) = value.as_table() else {
            let wrong = wrong_kind(value, &format!("a table with the keys {}", keys.join(", ")));
            report(&what, place, wrong, reporter);
            return None;
        };
        let section = Section { what, place, table, keys };
        section.refuse_unknown(reporter).then_some(section)
    }

    /// Reports keys that don't belong here. Answers whether the others can be read: not if one of these is a table,
    /// since then all of this is meant as something else.
    fn refuse_unknown(&self, reporter: &mut Reporter) -> bool {
        let mut readable = true;
        for (key, value) in self.unknown() {
            let inner = value.get_ref().is_table() && self.what.contains('`');
            readable &= !inner;
            reporter.report(Problem {
                code: code::UNKNOWN_KEY,
                place: place(key),
                message: format!("{} has no key `{}`", self.what, key.get_ref()),
                label: "unknown key".to_owned(),
                help: match inner {
                    true => {
                        "a task of a module is written [task.\"Module.task\"]; nothing else has a point in it"
                            .into()
                    }
                    false => meant(place(key), key.get_ref(), self.keys, "keys", Quoted::No),
                },
            });
        }
        readable
    }

    fn unknown(&self) -> impl Iterator<Item = (&'a Key<'a>, &'a Spanned<DeValue<'a>>)> {
        self.table.iter().filter(|(key, _)| !self.keys.contains(&key.get_ref().as_ref()))
    }

    /// Whether there are keys that don't belong here. They have been reported already.
    pub(super) fn has_unknown(&self) -> bool {
        self.unknown().next().is_some()
    }

    /// Whether `key` is there under a name which resembles it. That has been reported already.
    fn is_misspelt(&self, key: &str) -> bool {
        self.unknown().any(|(unknown, _)| closest(unknown.get_ref(), self.keys) == Some(key))
    }

    /// The table under `key`, which must be there.
    pub(super) fn section(
        &self,
        key: &str,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        let Some(section) = self.optional_section(key, keys, reporter) else {
            if !self.has(key) {
                self.missing(
                    &format!("[{key}]"),
                    format!("add the table [{key}] with {}", keys.join(", ")),
                    reporter,
                );
            }
            return None;
        };
        Some(section)
    }

    /// The table under `key`, if it is there.
    pub(super) fn optional_section(
        &self,
        key: &str,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        let (at, value) = self.get(key)?;
        Section::open(format!("[{key}]"), place(at), value.get_ref(), keys, reporter)
    }

    /// Whether there is a table under `key`.
    pub(super) fn is_table(&self, key: &str) -> bool {
        self.get(key).is_some_and(|(_, value)| value.get_ref().is_table())
    }

    /// The table under `key` of this one, if it is there and can be read.
    pub(super) fn inner(
        &self,
        key: &str,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        let (at, value) = self.get(key)?;
        Section::open(self.of(key), place(at), value.get_ref(), keys, reporter)
    }

    /// The tables `[key.name]`, in the order of the text.
    pub(super) fn entries(&self, key: &str, reporter: &mut Reporter) -> Vec<Entry<'a>> {
        let Some((at, value)) = self.get(key) else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            report(
                &format!("`{key}`"),
                place(at),
                wrong_kind(value.get_ref(), &format!("[{key}.name]")),
                reporter,
            );
            return Vec::new();
        };
        let entry = |(name, value): (&Key<'_>, &'a _)| Entry {
            name: Placed::new(name.get_ref().to_string(), place(name)),
            value,
        };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.name.place.offset());
        entries
    }

    /// The tables `[[key]]`, in the order of the text.
    pub(super) fn list(
        &self,
        key: &str,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Vec<Section<'a>> {
        let Some((at, value)) = self.get(key) else { return Vec::new() };
        let Some(rows) = value.get_ref().as_array() else {
            report(
                &format!("`{key}`"),
                place(at),
                wrong_kind(value.get_ref(), &format!("[[{key}]]")),
                reporter,
            );
            return Vec::new();
        };
        rows.iter()
            .filter_map(|row| Section::open(key.to_owned(), place(row), row.get_ref(), keys, reporter))
            .collect()
    }

    /// The tables in the list under `key` of this one, each like the example.
    pub(super) fn rows(
        &self,
        key: &str,
        example: &str,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Vec<Section<'a>> {
        let Some((_, value)) = self.get(key) else { return Vec::new() };
        let Some(rows) = value.get_ref().as_array() else {
            let wrong = wrong_kind(value.get_ref(), &format!("a list: [{example}]"));
            report(&self.of(key), place(value), wrong, reporter);
            return Vec::new();
        };
        let open = |row: &'a Spanned<DeValue<'a>>| {
            Section::open(format!("a row of {}", self.of(key)), place(row), row.get_ref(), keys, reporter)
        };
        rows.iter().filter_map(open).collect()
    }

    /// The value of `key`, which must be there.
    pub(super) fn required<T: Value>(&self, key: &str, reporter: &mut Reporter) -> Option<Placed<T>> {
        if !self.has(key) && !self.is_misspelt(key) {
            let line = format!("{key} = {}", T::EXAMPLE);
            let help = self.with_line(Help::from(format!("add `{line}`")), &line, reporter);
            self.missing(&format!("`{key}`"), help, reporter);
        }
        self.optional(key, reporter)
    }

    /// The value of `key`, if it is there and of its kind.
    pub(super) fn optional<T: Value>(&self, key: &str, reporter: &mut Reporter) -> Option<Placed<T>> {
        let (_, value) = self.get(key)?;
        self.read(key, value, reporter)
    }

    /// The values in the list under `key`; none if there is no list.
    pub(super) fn values<T: Value>(&self, key: &str, reporter: &mut Reporter) -> Vec<Placed<T>> {
        let Some((_, value)) = self.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            let wrong = wrong_kind(value.get_ref(), "a list: [\"...\", \"...\"]");
            report(&self.of(key), place(value), wrong, reporter);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.read(key, item, reporter)).collect()
    }

    /// The values in the table under `key`, by their names; none if there is no table.
    pub(super) fn named<T: Value>(
        &self,
        key: &str,
        reporter: &mut Reporter,
    ) -> Vec<(Placed<String>, Placed<T>)> {
        let Some((_, value)) = self.get(key) else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            let wrong = wrong_kind(value.get_ref(), &format!("a table: {{ name = {} }}", T::EXAMPLE));
            report(&self.of(key), place(value), wrong, reporter);
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in table {
            let name = Placed::new(name.get_ref().to_string(), place(name));
            found.extend(self.read(key, value, reporter).map(|read| (name, read)));
        }
        found
    }

    /// The same of a table in which names have points: `gps.x = ...`, which TOML takes for a table in the table,
    /// means what `"gps.x" = ...` does. In the order of the text.
    pub(super) fn flat<T: Value>(
        &self,
        key: &str,
        reporter: &mut Reporter,
    ) -> Vec<(Placed<String>, Placed<T>)> {
        let Some((_, value)) = self.get(key) else { return Vec::new() };
        let (mut found, mut open) = (Vec::new(), vec![(String::new(), value)]);
        while let Some((before, value)) = open.pop() {
            let Some(table) = value.get_ref().as_table() else {
                let wrong =
                    wrong_kind(value.get_ref(), &format!("a table: [{key}] with name = {}", T::EXAMPLE));
                report(&self.of(key), place(value), wrong, reporter);
                continue;
            };
            for (name, value) in table {
                let full = format!("{before}{}", name.get_ref());
                if value.get_ref().is_table() {
                    open.push((format!("{full}."), value));
                } else if let Some(read) = self.read(key, value, reporter) {
                    found.push((Placed::new(full, place(name)), read));
                }
            }
        }
        found.sort_by_key(|(name, _)| name.place.offset());
        found
    }

    /// The texts in the list under `key`; none if there is no list.
    pub(super) fn texts(&self, key: &str, reporter: &mut Reporter) -> Vec<Placed<String>> {
        let texts = self.values::<Text>(key, reporter).into_iter();
        texts.map(|Placed { value: Text(text), place }| Placed::new(text, place)).collect()
    }

    /// Where the value of `key` stands, if there is one.
    pub(super) fn place_of(&self, key: &str) -> Option<SourceSpan> {
        self.get(key).map(|(_, value)| place(value))
    }

    /// How many items the list under `key` has, if there is a list.
    pub(super) fn length_of(&self, key: &str) -> Option<usize> {
        self.get(key)?.1.get_ref().as_array().map(|items| items.len())
    }

    /// Whether there is anything under `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// How many tables there are under `key`, whether they can be read or not.
    pub(super) fn count(&self, key: &str) -> usize {
        match self.get(key).map(|(_, value)| value.get_ref()) {
            None => 0,
            Some(DeValue::Table(table)) => table.len(),
            Some(DeValue::Array(rows)) => rows.len(),
            Some(_) => 1,
        }
    }

    /// Says that something is missing here.
    pub(super) fn missing(&self, what: &str, help: impl Into<Help<SourceSpan>>, reporter: &mut Reporter) {
        reporter.report(Problem {
            code: code::MISSING,
            place: self.place,
            message: format!("{} has no {what}", self.what),
            label: format!("{what} is missing"),
            help: help.into(),
        });
    }

    /// A proposal to write another line under this table's head.
    pub(super) fn with_line(
        &self,
        help: Help<SourceSpan>,
        line: &str,
        reporter: &Reporter,
    ) -> Help<SourceSpan> {
        match reporter.behind_head(self.place).filter(|_| !line.contains("...")) {
            Some(place) => help.or(place, format!("\n{line}")),
            None => help,
        }
    }

    /// A proposal to leave a key out.
    pub(super) fn without(&self, help: Help<SourceSpan>, key: &str, reporter: &Reporter) -> Help<SourceSpan> {
        match self.place_of(key).filter(|_| reporter.behind_head(self.place).is_some()) {
            Some(place) => help.or(reporter.line(place), ""),
            None => help,
        }
    }

    /// The line of a key, or if it isn't there, where one can be added behind this table's head.
    pub(super) fn line_of(&self, key: &str, reporter: &Reporter) -> Option<SourceSpan> {
        let behind_head = reporter.behind_head(self.place)?;
        Some(self.place_of(key).map_or(behind_head, |place| reporter.line(place)))
    }

    fn read<T: Value>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        reporter: &mut Reporter,
    ) -> Option<Placed<T>> {
        match T::read(value.get_ref()) {
            Ok(read) => Some(Placed::new(read, place(value))),
            Err(wrong) => {
                let wrong = Wrong { instead: wrong.instead.or_else(|| Some(T::EXAMPLE.to_owned())), ..wrong };
                report(&self.of(key), place(value), wrong, reporter);
                None
            }
        }
    }

    fn of(&self, key: &str) -> String {
        format!("`{key}` of {}", self.what)
    }

    fn get(&self, key: &str) -> Option<(&'a Key<'a>, &'a Spanned<DeValue<'a>>)> {
        self.table.get_key_value(key)
    }
}

impl<'a> Entry<'a> {
    /// Whether there is anything under `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value.get_ref().as_table().is_some_and(|table| table.contains_key(key))
    }

    /// The table as the description of a `kind`. Says so where its name isn't one, of at most `most` names with a
    /// point between them.
    pub(super) fn open(
        &self,
        kind: &str,
        most: usize,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        if !self.name.split('.').all(is_name) || self.name.split('.').count() > most {
            reporter.report(Problem {
                code: code::NAME,
                place: self.name.place,
                message: format!("`{}` can't be the name of {} {kind}", self.name.value, article(kind)),
                label: "not a name".to_owned(),
                help: NAME_RULE.into(),
            });
        }
        self.open_as(format!("{kind} `{}`", self.name.value), keys, reporter)
    }

    /// The table as the description of `what`, under a name that has been looked at already.
    pub(super) fn open_as(
        &self,
        what: String,
        keys: &'static [&'static str],
        reporter: &mut Reporter,
    ) -> Option<Section<'a>> {
        Section::open(what, self.name.place, self.value.get_ref(), keys, reporter)
    }
}

/// The article before a kind of thing.
fn article(kind: &str) -> &'static str {
    if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}

fn report(what: &str, place: SourceSpan, wrong: Wrong, reporter: &mut Reporter) {
    let Wrong { code, reason, help, instead } = wrong;
    let instead = instead.filter(|text| !text.contains("..."));
    let help = instead.into_iter().fold(Help::from(help), |help, text| help.or(place, text));
    reporter.report(Problem {
        code,
        place,
        message: format!("{what} {reason}"),
        label: "here".to_owned(),
        help,
    });
}
