//! Structs become records: plain fields, no padding, and the same meaning for a name in the whole system.

use super::kind::kind;
use super::name::{Entity, Scope};
use super::{Checks, Refused};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Field, Record};
use crate::place::Place;
use crate::syntax;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// As many as the longest array of a basic type has.
const MOST_BYTES: u32 = 32 * 1024;

/// The records of the system by name, each with the place of its first declaration that was looked at.
pub(super) type Records<'a> = BTreeMap<&'a str, (Arc<Record>, Place)>;

/// Each once, in the order of the text.
pub(super) fn in_text_order(known: Records<'_>) -> Vec<Arc<Record>> {
    let mut all: Vec<_> = known.into_values().collect();
    all.sort_by_key(|(_, place)| *place);
    all.into_iter().map(|(record, _)| record).collect()
}

/// The records of a module; those of its imports are known. Faulty ones are reported and left out.
pub(super) fn records<'a>(scope: &mut Scope<'a>, known: &mut Records<'a>, reporter: &mut Reporter) {
    let mut above = BTreeSet::new();
    for tree in &scope.module.records {
        if reporter.is_full() {
            return;
        }
        reporter.count(1);
        let record = record(tree, &above, scope, reporter);
        above.insert(tree.name.text.as_str());
        let Ok(record) = record else { continue };
        let place = tree.name.place;
        let record = match known.get_mut(tree.name.text.as_str()) {
            Some((before, first)) if **before != record => {
                conflict(&tree.name, *first, reporter);
                continue;
            }
            Some((before, first)) => {
                *first = place.min(*first);
                before.clone()
            }
            None => {
                let record = Arc::new(record);
                known.insert(&tree.name.text, (record.clone(), place));
                record
            }
        };
        Rc::make_mut(&mut scope.own.records).insert(&tree.name.text, record);
    }
}

/// A struct whose field types are all known where it is declared, so that none contains itself.
fn record(
    tree: &syntax::Record,
    above: &BTreeSet<&str>,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Record> {
    if tree.fields.is_empty() {
        return refuse(
            tree.name.place,
            format!("struct `{}` has no fields, so it holds nothing", tree.name.text),
            "no fields",
            "declare at least one: `struct Position { float x; float y; }`",
            reporter,
        );
    }
    let fields: Vec<_> = tree.fields.iter().map(|one| field(one, tree, above, scope, reporter)).collect();
    let record = Record::new(tree.name.text.clone(), fields.into_iter().collect::<Checks<_>>()?);
    if record.depth() > Record::MOST_DEPTH {
        return refuse(
            tree.name.place,
            format!(
                "{} structs lie within each other in struct `{}`; at most {} are possible",
                record.depth(),
                record.name,
                Record::MOST_DEPTH
            ),
            "too deep",
            "write the fields of one of the inner structs one by one",
            reporter,
        );
    }
    let size = record.size();
    if size > MOST_BYTES {
        return refuse(
            tree.name.place,
            format!("struct `{}` has {size} bytes; at most {MOST_BYTES} are possible", record.name),
            "too large",
            "use shorter arrays, or share the fields among several structs",
            reporter,
        );
    }
    match padding(&record.fields) {
        Some(place) => padded(tree, &record, place, reporter),
        None => Ok(record),
    }
}

fn field(
    field: &syntax::Field,
    tree: &syntax::Record,
    above: &BTreeSet<&str>,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Field> {
    let inner = &field.kind.name;
    if field.kind.module.is_none()
        && let Some(Entity::Record) = scope.names.get(inner.text.as_str())
        && !scope.own.records.contains_key(inner.text.as_str())
    {
        return match above.contains(inner.text.as_str()) {
            // It has already been refused.
            true => Err(Refused),
            false => not_above(field, tree, reporter),
        };
    }
    Ok(Field { name: field.name.text.clone(), kind: kind(&field.kind, scope, reporter)? })
}

fn not_above<T>(field: &syntax::Field, tree: &syntax::Record, reporter: &mut Reporter) -> Checks<T> {
    let (outer, inner) = (&tree.name.text, &field.kind.name.text);
    if outer == inner {
        return refuse(
            field.kind.name.place,
            format!("struct `{outer}` would lie within itself"),
            "the same struct",
            "leave the field out; what refers to another value is a number, such as its place in an array",
            reporter,
        );
    }
    refuse(
        field.kind.name.place,
        format!("field `{}` of struct `{outer}` is a struct that is declared further down", field.name.text),
        "not known here",
        &format!("move `struct {inner} {{ ... }}` above `struct {outer}`"),
        reporter,
    )
}

fn refuse<T>(place: Place, message: String, label: &str, help: &str, reporter: &mut Reporter) -> Checks<T> {
    let (label, help) = (label.to_owned(), help.into());
    reporter.report(Problem { code: code::STRUCT, place, message, label, help });
    Err(Refused)
}

/// The first field that would be misaligned, or the number of fields if there would be unused bytes after the
/// last.
fn padding(fields: &[Field]) -> Option<usize> {
    let mut offset = 0;
    for (index, field) in fields.iter().enumerate() {
        if !u32::is_multiple_of(offset, field.kind.alignment()) {
            return Some(index);
        }
        offset += field.kind.size();
    }
    let alignment = fields.iter().map(|field| field.kind.alignment()).max().unwrap_or(1);
    (!offset.is_multiple_of(alignment)).then_some(fields.len())
}

fn padded<T>(tree: &syntax::Record, record: &Record, place: usize, reporter: &mut Reporter) -> Checks<T> {
    let mut ordered = record.fields.clone();
    ordered.sort_by_key(|field| Reverse(field.kind.alignment()));
    let mut text: String = ordered.iter().map(|field| format!("{} {}; ", field.kind, field.name)).collect();
    if padding(&ordered).is_some() {
        let alignment = ordered.first().map_or(1, |field| field.kind.alignment());
        let spare = alignment - ordered.iter().map(|field| field.kind.size()).sum::<u32>() % alignment;
        let spare = if spare == 1 { "byte".to_owned() } else { format!("byte[{spare}]") };
        text += &format!("{spare} {}; ", free_name(&ordered));
    }
    let (at, where_) = match tree.fields.get(place) {
        Some(field) => (field.name.place, format!("before field `{}`", field.name.text)),
        None => (tree.name.place, "behind the last field".to_owned()),
    };
    reporter.report(Problem {
        code: code::PADDING,
        place: at,
        message: format!(
            "struct `{}` would have unused bytes {where_}; ports have none, so that equal values have equal bytes",
            record.name
        ),
        label: "unused bytes".to_owned(),
        help: Help::write(tree.place, &format!("struct {} {{ {text}}}", record.name)),
    });
    Err(Refused)
}

fn free_name(fields: &[Field]) -> String {
    let mut name = "spare".to_owned();
    while fields.iter().any(|field| field.name == name) {
        name.push('_');
    }
    name
}

fn conflict(name: &syntax::Name, before: Place, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::STRUCT_CONFLICT,
        place: name.place,
        message: format!(
            "struct `{}` has other fields than that of another module; native code knows one struct of a name",
            name.text
        ),
        label: "other fields".to_owned(),
        help: "give both the same fields, then they are one type, or rename one of them".into(),
    };
    reporter.report_with(problem, before, "the other struct");
}
