//! `on_miss` of a task: what is done about a job that isn't done at the end of its logical execution time.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Between, NAME_RULE, Name, Value, Wrong, choice, is_name, text};
use super::{CallOnMiss, Fate, OnMiss, Placed, code};
use toml::de::DeValue;

/// The key, and what can stand in its table.
const KEY: &str = "on_miss";
const KEYS: &[&str] = &["job", "outputs", "set", "call", "with", "mode", "catch_up", "most"];

/// The most releases that can be owed to a task, or left out for one job.
const MOST_COUNTED: u16 = 127;

/// The only word that `outputs` can be.
struct Initial;

impl Value for Initial {
    const EXAMPLE: &'static str = "\"initial\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("initial", ())]).map(|()| Initial)
    }
}

impl Value for Fate {
    const EXAMPLE: &'static str = "\"stop\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("stop", Fate::Stops), ("skip", Fate::GoesOn)]).map_err(|wrong| {
            match value.as_str() {
                Some("count") => Wrong {
                    help:
                        "every miss is counted and reported; write \"skip\" to let the job go on beside that"
                            .to_owned(),
                    ..wrong
                },
                _ => wrong,
            }
        })
    }
}

/// An output, by its task and its own name.
struct OutputName(String, String);

impl Value for OutputName {
    const EXAMPLE: &'static str = "\"task.output\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let name = text(value, "an output, as \"task.output\"")?;
        match name.split_once('.') {
            Some((task, output)) if is_name(task) && is_name(output) => {
                Ok(OutputName(task.to_owned(), output.to_owned()))
            }
            _ => Err(Wrong {
                code: code::NAME,
                reason: "isn't an output".to_owned(),
                help: format!("write the task and its output as \"task.output\"; {NAME_RULE}"),
                instead: None,
            }),
        }
    }
}

/// What a task's section says: a word for what becomes of the job, or a table with more.
pub(super) fn on_miss(section: &Section<'_>, reporter: &mut Reporter) -> OnMiss {
    if !section.is_table(KEY) {
        let fate = section.optional::<Fate>(KEY, reporter);
        return OnMiss { fate: fate.map_or(Fate::Stops, |fate| fate.value), ..OnMiss::default() };
    }
    let Some(table) = section.inner(KEY, KEYS, reporter) else { return OnMiss::default() };
    let name = |key: &str, reporter: &mut Reporter| {
        let name = table.optional::<Name>(key, reporter)?;
        Some(Placed::new(name.value.0, name.place))
    };
    let fate = table.optional::<Fate>("job", reporter);
    let outputs = table.optional::<Initial>("outputs", reporter);
    let number = |key: &str, reporter: &mut Reporter| {
        let number = table.optional::<Between<1, MOST_COUNTED>>(key, reporter)?;
        Some(Placed::new(u8::try_from(number.value.0).unwrap_or(u8::MAX), number.place))
    };
    let (catch_up, most) = (number("catch_up", reporter), number("most", reporter));
    // A task that makes up for releases, or counts them, lets its jobs go on.
    let usual = if catch_up.is_some() || most.is_some() { Fate::GoesOn } else { Fate::Stops };
    let on_miss = OnMiss {
        fate: fate.map_or(usual, |fate| fate.value),
        catch_up,
        most,
        outputs: outputs.map(|outputs| Placed::new((), outputs.place)),
        set: name("set", reporter),
        call: call(&table, reporter),
        mode: name("mode", reporter),
    };
    refuse_values_of_a_job_that_goes_on(&on_miss, reporter);
    refuse_counting_for_what_was_stopped(&on_miss, reporter);
    refuse_counting_twice(&on_miss, reporter);
    on_miss
}

/// The function that is carried out, and the value that it is given: both, or neither.
fn call(table: &Section<'_>, reporter: &mut Reporter) -> Option<CallOnMiss> {
    let function = table.optional::<Name>("call", reporter);
    let with = table.optional::<OutputName>("with", reporter);
    // What isn't right was reported already.
    let (present, missing, place) = match (&function, &with) {
        (Some(function), None) if !table.has("with") => ("call", "with = \"task.output\"", function.place),
        (None, Some(with)) if !table.has("call") => ("with", "call = \"function\"", with.place),
        _ => {
            let (function, with) = (function?, with?);
            return Some(CallOnMiss {
                function: Placed::new(function.value.0, function.place),
                with: Placed::new((with.value.0, with.value.1), with.place),
            });
        }
    };
    reporter.report(Problem {
        code: code::CONFLICT,
        place,
        message: "a function is called with an output's value: `call` and `with` go together".to_owned(),
        label: "alone".to_owned(),
        help: format!("add `{missing}`, or leave `{present}` out").into(),
    });
    None
}

fn refuse_counting_for_what_was_stopped(on_miss: &OnMiss, reporter: &mut Reporter) {
    if on_miss.fate == Fate::GoesOn {
        return;
    }
    let counted = [("catch_up", on_miss.catch_up), ("most", on_miss.most)];
    for (key, number) in counted.into_iter().filter_map(|(key, number)| Some((key, number?))) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: number.place,
            message: format!("`{key}` goes with jobs that go on, and this one is stopped"),
            label: "no use".to_owned(),
            help: format!("write `job = \"skip\"`, or leave `{key}` out").into(),
        });
    }
}

/// Releases that are owed come when the job is done. Those that were left out for a job that is stopped never come.
fn refuse_counting_twice(on_miss: &OnMiss, reporter: &mut Reporter) {
    let (Some(_), Some(most)) = (on_miss.catch_up, on_miss.most) else { return };
    reporter.report(Problem {
        code: code::CONFLICT,
        place: most.place,
        message: "releases are made up for with `catch_up`, or counted with `most`: not both".to_owned(),
        label: "the second of the two".to_owned(),
        help: "leave one of them out".into(),
    });
}

/// A job that goes on stays in the way of its next inputs and release. So there is no single moment at which something
/// else could take its place.
fn refuse_values_of_a_job_that_goes_on(on_miss: &OnMiss, reporter: &mut Reporter) {
    if on_miss.fate != Fate::GoesOn {
        return;
    }
    let outputs = on_miss.outputs.as_ref().map(|outputs| ("outputs", outputs.place));
    let set = on_miss.set.as_ref().map(|set| ("set", set.place));
    let call = on_miss.call.as_ref().map(|call| ("call", call.function.place));
    for (key, place) in [outputs, set, call].into_iter().flatten() {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` goes with jobs that are stopped, and this one goes on"),
            label: "no use".to_owned(),
            help: format!("write `job = \"stop\"`, or leave `{key}` out").into(),
        });
    }
}
