//! Slots: which parts of a period a task uses. They must exist, and be in order without overlap.

use super::constant::constant;
use super::operand::Reader;
use super::{Checks, Refused};
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::Slots;
use crate::place::Place;
use crate::syntax::{self, Expression, Form, Literal};

impl Reader<'_, '_> {
    /// `frequency` is the number of slots in the period.
    pub(super) fn slots(&mut self, slots: &[syntax::Slots], frequency: u32) -> Checks<Vec<Slots>> {
        let mut checked: Vec<(Slots, Place)> = Vec::new();
        for one in slots {
            let first = self.slot(&one.first, frequency)?;
            let last = one.last.as_ref().map_or(Ok(first), |last| self.slot(last, frequency))?;
            if last < first {
                return self.wrong_slots(
                    one.place,
                    format!("slot {last} comes before slot {first}"),
                    Help::write(one.place, &format!("{last}-{first}")),
                );
            }
            if let Some((before, place)) = checked.last().filter(|(before, _)| before.last >= first) {
                let problem = Problem {
                    code: code::SLOTS,
                    place: one.place,
                    message: format!(
                        "slot {first} doesn't come after slot {}: slots stand in ascending order and don't overlap",
                        before.last
                    ),
                    label: "not behind the slots before it".to_owned(),
                    help: "order them, and give each slot to one activation".into(),
                };
                self.reporter.report_with(problem, *place, "the slots before it");
                return Err(Refused);
            }
            checked.push((Slots { first, last }, one.place));
        }
        Ok(checked.into_iter().map(|(slots, _)| slots).collect())
    }

    fn slot(&mut self, expression: &Expression, frequency: u32) -> Checks<u32> {
        let number = match &*constant(expression, self.scope, self.reporter)? {
            Form::Literal(Literal::Integer(number)) => u32::try_from(*number).ok(),
            _ => None,
        };
        match number.filter(|number| (1..=frequency).contains(number)) {
            Some(number) => Ok(number),
            None => self.wrong_slots(
                expression.place,
                format!("with `freq = {frequency}` a period has the slots 1 to {frequency}, and this is none of them"),
                "write the numbers of slots, for example `slots = 1-2|4`, or a higher `freq`".into(),
            ),
        }
    }

    fn wrong_slots<T>(&mut self, place: Place, message: String, help: Help<Place>) -> Checks<T> {
        self.refuse(Problem { code: code::SLOTS, place, message, label: "not a slot".to_owned(), help })
    }
}
