//! What can be wrong with tasks that are offered to the programs of a slot, in words.

use super::{Found, Mismatch};
use crate::description::{self, Description, Placed, Slot, code};

impl Found {
    pub fn offers_others(&mut self, description: &Description, slot: &Slot, other: &str) {
        let help = format!("move `{other}`, or the tasks of `{}`, to another band", slot.name.value);
        self.offer(description, slot, code::CONFLICT, help, |band| {
            format!("`{other}` stands in band `{band}` and isn't a task of module `{}`", slot.name.value)
        });
    }

    pub fn offers_nothing(&mut self, description: &Description, slot: &Slot) {
        let help = format!("name the band in which tasks of `{}` stand", slot.name.value);
        self.offer(description, slot, code::USERS, help, |band| {
            format!("no task of module `{}` stands in band `{band}`", slot.name.value)
        });
    }

    pub fn offers_too_many(&mut self, description: &Description, slot: &Slot, most: usize) {
        let help = "offer fewer tasks, and leave the others in another band".to_owned();
        self.offer(description, slot, code::TOO_MANY, help, |band| {
            format!("with band `{band}` more than {most} places would be offered; bands have places in powers of two")
        });
    }

    fn offer(
        &mut self,
        description: &Description,
        slot: &Slot,
        code: &'static str,
        help: String,
        message: impl FnOnce(&str) -> String,
    ) {
        let Some(Placed { value: band, place }) = &slot.offers else { return };
        self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
            code,
            place: *place,
            message: message(band),
            label: "offered to programs of the slot".to_owned(),
            help: help.into(),
        })));
    }
}
