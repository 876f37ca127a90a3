//! Curves of a made-up run: which there are, what they are at instants and in windows, and their lines.

use super::csv::Said;
use super::*;
use crate::log::{Entry, Level};
use crate::names::{DriverKind, DriverName};
use crate::units::Units;
use crate::value::ValueType;
use crate::{Happening, Tick};
use beryl_abi::{DriverId, Instant, ThreadId};

fn names() -> Names {
    let kind = |text: &str| ValueType::try_from(text.to_owned()).expect("a type");
    let driver =
        |name: &str, value| DriverName { name: name.into(), kind: DriverKind::Sensor, value: kind(value) };
    let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
    names.tick = Tick::new(10, 1).expect("not zero");
    names.drivers = vec![
        driver("gps", "{ float x; boolean ok; }"),
        driver("far, high", "long"),
        driver("map", "int[17]"),
    ];
    names.units = Units::from_iter([("gps.x".to_owned(), "m".to_owned())]);
    names
}

fn events() -> Vec<Event> {
    let moved = |driver, ticks, value: &[u8]| {
        let at = Instant::from_ticks(ticks);
        let happening = Happening::Driver { driver: DriverId(driver), instant: at, value: value.to_vec() };
        Event { time: Instant::from_ticks(ticks + 1), happening }
    };
    let gps = |ticks, x: f32, ok| moved(0, ticks, &[x.to_le_bytes().as_slice(), &[ok, 9, 9, 9]].concat());
    let mut events = vec![
        gps(10, 1.5, 0),
        moved(1, 20, &i64::MIN.to_le_bytes()),
        moved(2, 20, &[0; 68]),
        gps(30, 4.5, 1),
        gps(30, -1.5, 1),
        gps(50, 0.1, 1),
    ];
    // The last happening is the end of the run.
    events.push(Event { time: Instant::from_ticks(90), happening: events[0].happening.clone() });
    events.swap_remove(0);
    events.swap(0, 5);
    events
}

fn ns(nanoseconds: u64) -> LogicalInstant {
    LogicalInstant::from_nanoseconds(nanoseconds)
}

#[test]
fn each_number_is_a_curve_and_long_arrays_have_none() {
    let all = Curve::all(&events(), &names());
    let told: Vec<_> = all.iter().map(|curve| (curve.title(), curve.steps.len(), curve.end)).collect();
    let expected = [("gps.x (m)", 4), ("gps.ok", 4), ("far, high", 1)];
    assert_eq!(told, expected.map(|(title, count)| (title.to_owned(), count, ns(900))));
    let at = |curve: usize, instant| all[curve].at(ns(instant)).map(|number| number.to_string());
    assert_eq!(
        [99, 100, 299, 300, 900, 901].map(|instant| at(0, instant)).map(Option::unwrap_or_default),
        ["", "1.5", "1.5", "-1.5", "0.1", ""]
    );
    assert_eq!(at(2, 300), Some(i64::MIN.to_string()));
}

#[test]
fn a_window_has_what_counts_when_it_begins() {
    let all = Curve::all(&events(), &names());
    let seen = |from, to| {
        all[0]
            .seen(ns(from), ns(to))
            .map(|seen| (seen.least.to_string(), seen.most.to_string(), seen.mean, seen.count))
    };
    let told = |least: &str, most: &str, mean, count| Some((least.to_owned(), most.to_owned(), mean, count));
    assert_eq!(seen(0, 99), None);
    assert_eq!(seen(200, 250), told("1.5", "1.5", 1.5, 0));
    // A hundred of 1.5, then two hundred of -1.5.
    assert_eq!(seen(200, 499), told("-1.5", "4.5", (150.0 - 1.5 * 199.0) / 299.0, 2));
    assert_eq!(seen(300, 300), told("-1.5", "4.5", -1.5, 2));
    assert_eq!(seen(901, 950), None);
}

#[test]
fn lines_have_all_columns_at_each_instant() {
    let all = Curve::all(&events(), &names());
    let text = csv::table(&all, None, ns(0), ns(900));
    let expected = "instant_ns,gps.x (m),gps.ok,\"far, high\"\n100,1.5,0,\n200,1.5,0,-9223372036854775808\n\
                    300,-1.5,1,-9223372036854775808\n500,0.1,1,-9223372036854775808\n";
    assert_eq!(text, expected);
    let some = Curve::chosen(all.clone(), &["gps".to_owned()]).expect("a name");
    assert_eq!(
        csv::table(&some, None, ns(250), ns(499)),
        "instant_ns,gps.x (m),gps.ok\n250,1.5,0\n300,-1.5,1\n"
    );
    let wrong = Curve::chosen(all, &["gp".to_owned()]).expect_err("no name").to_string();
    assert_eq!(wrong, "there is no curve `gp`; there are gps.x, gps.ok, far, high");
}

#[test]
fn what_was_said_has_a_line_for_each_statement() {
    let names = names();
    let entry = |ticks, thread, level, text: &str| {
        let (time, thread) = (Instant::from_ticks(ticks), ThreadId(thread));
        Said::of(&Entry { time, thread, level, text: text.to_owned() }, &names)
    };
    let said = [
        entry(5, 0, Level::Info, "early"),
        entry(20, 1, Level::Warn, "one, \"two\""),
        entry(20, 0, Level::Always, "at once"),
        entry(40, 1, Level::Error, "late"),
        entry(80, 0, Level::Trace, "later"),
    ];
    let all = Curve::all(&events(), &names);
    let [one, other] = [0, 1].map(|thread| names.thread(ThreadId(thread)).to_string());
    let expected = format!(
        "instant_ns,gps.x (m),gps.ok,\"far, high\",said_by,level,said\n50,,,,{one},info,early\n100,1.5,0,,,,\n\
         200,1.5,0,-9223372036854775808,{other},warn,\"one, \"\"two\"\"\"\n200,1.5,0,-9223372036854775808,{one},,at once\n\
         300,-1.5,1,-9223372036854775808,,,\n400,-1.5,1,-9223372036854775808,{other},error,late\n\
         500,0.1,1,-9223372036854775808,,,\n800,0.1,1,-9223372036854775808,{one},trace,later\n"
    );
    assert_eq!(csv::table(&all, Some(&said), ns(0), ns(900)), expected);
    let some = Curve::chosen(all, &["gps.ok".to_owned()]).expect("a name");
    assert_eq!(
        csv::table(&some, Some(&said), ns(250), ns(400)),
        format!("instant_ns,gps.ok,said_by,level,said\n250,0,,,\n300,1,,,\n400,1,{other},error,late\n")
    );
    // Words alone, and nobody who says anything.
    assert_eq!(
        csv::table(&[], Some(&said[..1]), ns(0), ns(900)),
        format!("instant_ns,said_by,level,said\n50,{one},info,early\n")
    );
    assert_eq!(
        csv::table(&some, Some(&[]), ns(300), ns(400)),
        "instant_ns,gps.ok,said_by,level,said\n300,1,,,\n"
    );
}
