//! Fields of records as operands: `task.output.field`, and fields of fields.

use super::operand::Reader;
use super::{Checks, suggestion};
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::{Element, Field, Operand, Record, Type};
use crate::place::Place;
use crate::syntax::Name;

/// The unit of a copy in bytes. Copied values are aligned to it and multiples of it.
const WORD: u32 = 4;

impl Reader<'_, '_> {
    /// The field of an output or sensor that `rest` names; the whole value if it names none.
    pub(super) fn field(
        &mut self,
        whole: (Operand, Type, Place),
        of_name: &Name,
        rest: &[Name],
    ) -> Checks<(Operand, Type, Place)> {
        let (of, mut kind, declared) = whole;
        let mut offset = 0_u32;
        let names = std::iter::once(of_name).chain(rest);
        for (outer, name) in names.zip(rest) {
            let (before, field) = self.field_of(&kind, outer, name)?;
            offset = offset.saturating_add(before);
            kind = field;
        }
        if rest.is_empty() {
            return Ok((of, kind, declared));
        }
        let names: Vec<_> = rest.iter().map(|name| name.text.as_str()).collect();
        Ok((Operand::Field { of: Box::new(of), path: names.join("."), offset }, kind, declared))
    }

    /// The offset of a field within a value, in bytes, and its type.
    fn field_of(&mut self, kind: &Type, outer: &Name, name: &Name) -> Checks<(u32, Type)> {
        let record = match (&kind.element, kind.length) {
            (Element::Record(record), None) => record,
            (_, Some(_)) => {
                let message = format!("this is an array (`{kind}`), and single elements of it have no name");
                let help = Help::from("take it whole, or have a task take out what is needed");
                return self.no_field(name, message, help.or(outer.place.behind().to(name.place), ""));
            }
            (Element::Basic(_), None) => {
                let message = format!("this is a single value (`{kind}`), and has no fields");
                let help = Help::from("write it without what stands behind the dot");
                return self.no_field(name, message, help.or(outer.place.behind().to(name.place), ""));
            }
        };
        self.reporter.count(record.fields.len());
        let place = record.fields.iter().position(|field| field.name == name.text);
        let Some((before, field)) =
            place.and_then(|place| Some((&record.fields[..place], record.fields.get(place)?)))
        else {
            return self.unknown_field(record, name);
        };
        Ok((before.iter().map(|field| field.kind.size()).fold(0, u32::saturating_add), field.kind.clone()))
    }

    fn unknown_field<T>(&mut self, record: &Record, name: &Name) -> Checks<T> {
        let fields = record.fields.iter().map(|field: &Field| field.name.as_str());
        let all: Vec<_> = fields.clone().map(|field| format!("`{field}`")).collect();
        let help = suggestion::proposal(name, fields, format!("its fields are {}", all.join(", ")));
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("struct `{}` has no field called `{}`", record.name, name.text),
            label: "unknown field".to_owned(),
            help,
        })
    }

    fn no_field<T>(&mut self, name: &Name, message: String, help: Help<Place>) -> Checks<T> {
        self.refuse(Problem {
            code: code::WRONG_USE,
            place: name.place,
            message,
            label: "no field".to_owned(),
            help,
        })
    }

    /// Refuses a field that can't be copied by itself: values move in words. Guards read it in place.
    pub(super) fn must_be_words(&mut self, operand: &Operand, kind: &Type, place: Place) -> Checks<()> {
        let Operand::Field { offset, path, .. } = operand else { return Ok(()) };
        if offset.is_multiple_of(WORD) && kind.size().is_multiple_of(WORD) {
            return Ok(());
        }
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: format!("field `{path}` of type `{kind}` isn't whole words of four bytes, and can't be taken by itself"),
            label: "a part of a word".to_owned(),
            help: "take the whole record, or make the field an `int`; guards may be given any field".into(),
        })
    }
}
