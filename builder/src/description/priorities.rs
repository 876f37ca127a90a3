//! `priorities = [3, 8]`: the priorities that a thread of a fixed band may have while the system runs.

use super::diagnostic::{Problem, Reporter};
use super::section::{Entry, Section};
use super::value::{UpTo, Value, Wrong};
use super::{Placed, Policy, code};
use beryl_timing::Help;
use toml::de::DeValue;

/// The key.
const KEY: &str = "priorities";

/// What it says.
const EXAMPLE: &str = "write the least and the most urgent priority, like `priorities = [3, 8]`";

/// An end of a range.
struct Priority(u8);

impl Value for Priority {
    const EXAMPLE: &'static str = "31";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let number = UpTo::<31>::read(value).map(|number| Priority(number.0));
        number.map_err(|wrong| Wrong { instead: Some(Self::EXAMPLE.to_owned()), ..wrong })
    }
}

/// Who begins with a priority of the range.
pub(super) struct Begins {
    pub(super) priority: u8,
    pub(super) who: &'static str,
    /// What else may be written, behind what the range would have to be.
    pub(super) otherwise: &'static str,
}

impl Begins {
    /// A thread by itself.
    pub(super) fn own(priority: u8) -> Begins {
        Begins { priority, who: "the thread", otherwise: ", or another `priority`" }
    }
}

/// The threads that declare such a range, by their names: others may change their priorities.
pub(super) fn of_threads(file: &Section<'_>, reporter: &mut Reporter) -> Vec<Placed<String>> {
    // What is no table is reported where threads are read.
    if !file.is_table("thread") {
        return Vec::new();
    }
    let entries = file.entries("thread", reporter);
    entries.iter().filter(|entry| entry.has(KEY)).map(|entry: &Entry<'_>| entry.name.clone()).collect()
}

/// The least and the most urgent, if they are there and right. `policy` is that of the thread's band, if it has one.
pub(super) fn range(
    section: &Section<'_>,
    policy: Option<Policy>,
    begins: Option<Begins>,
    reporter: &mut Reporter,
) -> Option<[u8; 2]> {
    let place = section.place_of(KEY)?;
    if !matches!(policy, None | Some(Policy::Fixed)) {
        let message = "priorities mean nothing here: only in a fixed band the highest priority goes first";
        let help = section.without("leave them out, or take a fixed band".into(), KEY, reporter);
        let (message, label) = (message.to_owned(), "no use".to_owned());
        reporter.report(Problem { code: code::CONFLICT, place, message, label, help });
        return None;
    }
    let Some(length) = section.length_of(KEY) else {
        let (message, label) = ("priorities are a list of two numbers".to_owned(), "no list".to_owned());
        reporter.report(Problem { code: code::WRONG_KIND, place, message, label, help: EXAMPLE.into() });
        return None;
    };
    let values: Vec<Placed<Priority>> = section.values(KEY, reporter);
    let mut refuse = |message: String, label: &str, help: String, instead: Option<[u8; 2]>| {
        let help = Help::from(help);
        let help = instead
            .into_iter()
            .fold(help, |help, [least, most]| help.or(place, format!("[{least}, {most}]")));
        reporter.report(Problem { code: code::RANGE, place, message, label: label.to_owned(), help });
        None
    };
    let numbers: Vec<u8> = values.iter().map(|value| value.value.0).collect();
    if numbers.len() < length {
        return None;
    }
    let [least, most] = numbers[..] else {
        let message = format!("a range of priorities has two ends, not {length}");
        return refuse(message, "here", EXAMPLE.to_owned(), None);
    };
    if least > most {
        let message = format!("no priority is from {least} up to {most}");
        let help = format!("write the least urgent first: `priorities = [{most}, {least}]`");
        return refuse(message, "out of order", help, Some([most, least]));
    }
    if least == most {
        let (message, label) =
            ("a range of one priority lets nothing change".to_owned(), "no range".to_owned());
        let help = section.without("leave it out, or write a wider one".into(), KEY, reporter);
        reporter.report(Problem { code: code::RANGE, place, message, label, help });
        return None;
    }
    let Begins { priority: own, who, otherwise } = begins?;
    if !(least..=most).contains(&own) {
        let (low, high) = (least.min(own), most.max(own));
        let message = format!("{who} begins with priority {own}, which isn't from {least} to {most}");
        let help = format!("write `priorities = [{low}, {high}]`{otherwise}");
        return refuse(message, "without the thread's own", help, Some([low, high]));
    }
    Some([least, most])
}
