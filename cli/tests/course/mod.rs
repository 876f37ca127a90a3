//! A module that goes from mode to mode by what its sensor says, and a plain reading of its text: what its actuators are
//! told at which instant.

use std::collections::BTreeMap;

pub const TEXT: &str = "module Course {
  sensor int pace uses read_pace;
  actuator int b0 := 0 uses set;
  actuator int b1 := 0 uses set;
  actuator int b2 := 0 uses set;
  start mode hold [period = 60ms] {
    actuator [entering] b0 := 7;
    actuator [entering] if pace > 0 then b1 := pace;
    actuator [freq = 2] b1 := pace;
    mode     [freq = 3] if pace > 1 then go;
  }
  mode go [period = 40ms] {
    actuator [freq = 2] if pace != 0 then b0 := 9;
    actuator [entering] b2 := pace;
    actuator [entering] b0 := 8;
    actuator [freq = 8, slots = 1-3|6|8] if pace < 3 then b1 := pace;
    mode     [freq = 1] if pace == 0 then go;
    mode     [freq = 2] if pace < 0 then hold;
    mode     [freq = 5, slots = 2] if pace == 2 then hold;
  }
}
";

/// An update or a switch: its slots as their number and those of which the ends are meant, what it asks, and what it
/// does.
struct Row(u64, &'static [u64], fn(i64) -> bool, Does);

enum Does {
    /// Tells an actuator so much.
    Tell(&'static str, fn(i64) -> i64),
    Switch(usize),
}

/// A mode: its period in ms, what it does, and what is done on entering it.
struct Mode(u64, Vec<Row>, Vec<Row>);

fn modes() -> [Mode; 2] {
    use Does::{Switch, Tell};
    let hold = vec![
        Row(2, &[1, 2], |_| true, Tell("b1", |pace| pace)),
        Row(3, &[1, 2, 3], |pace| pace > 1, Switch(1)),
    ];
    let held =
        vec![Row(1, &[], |_| true, Tell("b0", |_| 7)), Row(1, &[], |pace| pace > 0, Tell("b1", |pace| pace))];
    let go = vec![
        Row(2, &[1, 2], |pace| pace != 0, Tell("b0", |_| 9)),
        Row(8, &[3, 6, 8], |pace| pace < 3, Tell("b1", |pace| pace)),
        Row(1, &[1], |pace| pace == 0, Switch(1)),
        Row(2, &[1, 2], |pace| pace < 0, Switch(0)),
        Row(5, &[2], |pace| pace == 2, Switch(0)),
    ];
    let gone = vec![Row(1, &[], |_| true, Tell("b2", |pace| pace)), Row(1, &[], |_| true, Tell("b0", |_| 8))];
    [Mode(60, hold, held), Mode(40, go, gone)]
}

/// What the actuators are told up to an instant, if the sensor says this at the instants at which it is read, in ms; and
/// how often each mode is entered.
pub fn told(pace: &BTreeMap<u64, i64>, until: u64) -> (Vec<(u64, String, i64)>, [usize; 2]) {
    let (modes, mut told, mut entered) = (modes(), Vec::new(), [0; 2]);
    let (mut mode, mut began) = (0, 0);
    for now in 0..until {
        let since = now - began;
        let Mode(period, rows, _) = &modes[mode];
        let ends = |Row(slots, chosen, ..): &&Row| {
            chosen.iter().any(|slot| slot * period / slots % period == since % period)
        };
        let due: Vec<_> = rows.iter().filter(ends).collect();
        let tell = |Row(_, _, asks, does): &Row, told: &mut Vec<_>| {
            let Does::Tell(name, value) = does else { return };
            if asks(pace[&now]) {
                told.push((now, (*name).to_owned(), value(pace[&now])));
            }
        };
        due.iter().for_each(|row| tell(row, &mut told));
        let taken = due.iter().find_map(|Row(_, _, asks, does)| match does {
            Does::Switch(to) if asks(pace[&now]) => Some(*to),
            _ => None,
        });
        if taken.is_some() || now == 0 {
            (mode, began) = (taken.unwrap_or(mode), now);
            entered[mode] += 1;
            let Mode(_, _, entering) = &modes[mode];
            entering.iter().for_each(|row| tell(row, &mut told));
        }
    }
    (told, entered)
}
