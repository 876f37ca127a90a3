//! Periods and frequencies: whole numbers, in range, and divisible (rules 1 and 11).

use super::constant::constant;
use super::name::Scope;
use super::{Checks, Refused};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::Microseconds;
use crate::place::Place;
use crate::ratio::Ratio;
use crate::syntax::{Activity, Expression, Form, Literal, Mode};

/// Frequencies farther away than this are useless as a proposal.
const NEAR: u32 = 1000;

pub(super) fn period(mode: &Mode, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Microseconds> {
    let Some(expression) = &mode.period else {
        reporter.report(Problem {
            code: code::MISSING_PERIOD,
            place: mode.name.place,
            message: format!(
                "mode `{}` has no period, so nothing says when its activities are due",
                mode.name.text
            ),
            label: "no period".to_owned(),
            help: Help::from(format!("write `mode {} [period = 20ms]`", mode.name.text))
                .or(mode.name.place.behind(), " [period = 20ms]"),
        });
        return Err(Refused);
    };
    let longest = Microseconds::LONGEST_PERIOD;
    let place = expression.place;
    let (message, help): (String, Help<Place>) = match &*constant(expression, scope, reporter)? {
        Form::Literal(Literal::Time(time)) => match time.integer() {
            Some(count) => match u64::try_from(count).map(Microseconds) {
                Ok(period) if period.0 > 0 && period <= longest => return Ok(period),
                Ok(Microseconds(0)) => (
                    "a period of zero would never end".to_owned(),
                    Help::from("write a time such as `20ms`").or(place, "20ms"),
                ),
                Err(_) if count < 0 => negative(expression),
                _ => (
                    format!("this period is too long: the longest is {longest}, a day"),
                    Help::from(format!("write `{longest}` at most, and let a task count"))
                        .or(place, longest.to_string()),
                ),
            },
            None => remainder(place, *time),
        },
        Form::Literal(Literal::Integer(count @ 1..=1_000_000)) => (
            "this number has no unit, so it is no time".to_owned(),
            Help::from(format!("write `{count}ms` or `{count}us`"))
                .or(place, format!("{count}ms"))
                .or(place, format!("{count}us")),
        ),
        _ => (
            "this is no time".to_owned(),
            Help::from("write a number with `us`, `ms` or `s`, such as `20ms`").or(place, "20ms"),
        ),
    };
    let label = "not a period".to_owned();
    reporter.report(Problem { code: code::PERIOD, place, message, label, help });
    Err(Refused)
}

fn negative(expression: &Expression) -> (String, Help<Place>) {
    let place = expression.place;
    let message = "a period can't be negative".to_owned();
    match expression.form {
        Form::Literal(_) => {
            (message, Help::from("write it without the `-`").or(Place { length: 1, ..place }, ""))
        }
        _ => (message, Help::from("write a time such as `20ms`").or(place, "20ms")),
    }
}

/// A time between two whole microseconds, with both as proposals; none is shorter than one.
fn remainder(place: Place, time: Ratio) -> (String, Help<Place>) {
    let below = time.floor();
    let message = format!("this period is {time} microseconds, and a period is a whole number of them");
    let above = format!("{}us", below + 1);
    let help = match below >= 1 {
        true => {
            Help::from(format!("the nearest are `{below}us` and `{above}`")).or(place, format!("{below}us"))
        }
        false => Help::from(format!("the shortest is `{above}`")),
    };
    (message, help.or(place, above))
}

/// How often an activity happens in `period`, if the period is known; the time between must be whole
/// microseconds.
pub(super) fn frequency(
    activity: &Activity,
    period: Option<&Microseconds>,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<u32> {
    let Some(expression) = &activity.frequency else {
        reporter.report(Problem {
            code: code::MISSING_FREQUENCY,
            place: activity.name.place,
            message: format!("nothing says how often in a period `{}` is due", activity.name.text),
            label: "no frequency".to_owned(),
            help: Help::from(format!("write `[freq = 1]` before `{}`", activity.name.text))
                .or(activity.name.place.before(), "[freq = 1] "),
        });
        return Err(Refused);
    };
    let frequency = count(expression, scope, reporter)?;
    match period {
        Some(&period) if !period.0.is_multiple_of(u64::from(frequency)) => {
            not_divisible(expression.place, period, frequency, reporter);
            Err(Refused)
        }
        _ => Ok(frequency),
    }
}

fn count(expression: &Expression, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<u32> {
    let message = match &*constant(expression, scope, reporter)? {
        Form::Literal(Literal::Integer(count)) => match u32::try_from(*count) {
            Ok(0) => "a frequency of zero would never come".to_owned(),
            Ok(count) => return Ok(count),
            Err(_) if *count < 0 => "a frequency can't be negative".to_owned(),
            Err(_) => format!("this frequency is too large: the largest is {}", u32::MAX),
        },
        Form::Literal(Literal::Time(_)) => {
            "a frequency has no unit: it counts activations in a period".to_owned()
        }
        Form::Literal(Literal::Fraction { value, .. }) => {
            format!("a frequency is a whole number, and this comes to {value}")
        }
        _ => "this is no frequency".to_owned(),
    };
    reporter.report(Problem {
        code: code::FREQUENCY,
        place: expression.place,
        message,
        label: "not a frequency".to_owned(),
        help: Help::from("write how often the activity is due in one period, 1 or more, such as `1`")
            .or(expression.place, "1"),
    });
    Err(Refused)
}

fn not_divisible(place: Place, period: Microseconds, frequency: u32, reporter: &mut Reporter) {
    let rest = period.0 % u64::from(frequency);
    reporter.report(Problem {
        code: code::NOT_DIVISIBLE,
        place,
        message: format!(
            "the period of {period} divided by {frequency} is no whole number of microseconds: {rest} of {} would be left over",
            period.0
        ),
        label: format!("{frequency} doesn't divide {period}"),
        help: proposals(place, period, frequency),
    });
}

/// The nearest frequencies that divide the period. Changing the period instead would change the whole mode.
fn proposals(place: Place, period: Microseconds, frequency: u32) -> Help<Place> {
    let divides = |candidate: &u32| period.0.is_multiple_of(u64::from(*candidate));
    let lower = (frequency.saturating_sub(NEAR).max(1)..frequency).rev().find(divides).unwrap_or(1);
    let higher = (frequency..=frequency.saturating_add(NEAR)).find(divides);
    let nearest: Vec<u32> = [Some(lower), higher].into_iter().flatten().collect();
    let said: Vec<String> = nearest.iter().map(|count| format!("`freq = {count}`")).collect();
    let words = format!("the nearest that work: {}; or a period that {frequency} divides", said.join(", "));
    nearest.iter().fold(Help::from(words), |help, count| help.or(place, count.to_string()))
}
