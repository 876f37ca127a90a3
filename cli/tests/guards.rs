//! Guards that are expressions are asked by glue that the builder writes: what they say of values of each type is what a
//! plain reading of the drawn expression says of the same values, in the simulation and on the board.

use std::collections::BTreeMap;
use std::fs;

use beryl_testing::{Draw, SplitMix64};
use common::{TWIN, application, beryl, folder, left_text, lock};

mod common;
mod course;

const SEED: u64 = 18;
const GUARDS: usize = 48;
const PERIOD: u64 = 100_000_000;

/// What is compared: names of one type, and how its constants are written.
const TYPES: [(&[&str], &[&str]); 8] = [
    (&["flag", "mix.odd"], &["true", "false"]),
    (&["tiny"], &["-1", "0", "2"]),
    (&["small"], &["-1", "0", "2"]),
    (&["whole", "fix.x", "mix.last"], &["-1", "1 - 1", "2"]),
    (&["large", "mix.total"], &["-1", "0", "4 / 2"]),
    (&["letter"], &["'0'", "49", "50"]),
    (&["single", "fix.y"], &["-0.5", "0", "1 / 2"]),
    (&["fine", "mix.half"], &["-0.5", "0.0", "0.25 * 2"]),
];

/// A value, in a form that is exact for every type.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Value {
    Whole(i64),
    Real(f64),
}

/// A guard as it was drawn.
#[derive(Clone, Debug)]
enum Drawn {
    Value(&'static str),
    /// Numbers of the type, the operator and the two sides.
    Compared(usize, &'static str, [String; 2]),
    /// `is_odd(whole)`, in C.
    Odd,
    /// `is_low(fine, large)`, in Rust.
    Low,
    Not(Box<Drawn>),
    All(Vec<Drawn>),
    Any(Vec<Drawn>),
}

impl Drawn {
    fn of(random: &mut SplitMix64, depth: u64) -> Drawn {
        if depth > 0 && random.chance(60) {
            let parts = |random: &mut SplitMix64| {
                (0..2 + random.under(2)).map(|_| Drawn::of(random, depth - 1)).collect()
            };
            return match random.under(3) {
                0 => Drawn::Not(Box::new(Drawn::of(random, depth - 1))),
                1 => Drawn::All(parts(random)),
                _ => Drawn::Any(parts(random)),
            };
        }
        match random.under(10) {
            0 => Drawn::Odd,
            1 => Drawn::Low,
            2 => Drawn::Value(random.one_of::<&str>(TYPES[0].0)),
            _ => Drawn::comparison(random),
        }
    }

    fn comparison(random: &mut SplitMix64) -> Drawn {
        let kind = usize::try_from(random.under(8)).expect("it is small");
        let operators: &[&str] = if kind == 0 { &["==", "!="] } else { &["<", "<=", ">", ">=", "==", "!="] };
        let (names, constants) = TYPES[kind];
        let other = if random.chance(50) { names } else { constants };
        let mut sides = [random.one_of(names), random.one_of(other)].map(|side| (*side).to_owned());
        if random.chance(50) {
            sides.reverse();
        }
        Drawn::Compared(kind, random.one_of::<&str>(operators), sides)
    }

    /// Its text, in parentheses only where it needs them.
    fn text(&self, rank: u8) -> String {
        let joined = |parts: &[Drawn], word: &str, rank| {
            parts.iter().map(|part| part.text(rank)).collect::<Vec<_>>().join(word)
        };
        let (own, text) = match self {
            Drawn::Value(name) => (4, (*name).to_owned()),
            Drawn::Compared(_, operator, [left, right]) => (4, format!("{left} {operator} {right}")),
            Drawn::Odd => (4, "is_odd(whole)".to_owned()),
            Drawn::Low => (4, "is_low(fine, large)".to_owned()),
            Drawn::Not(inner) => (3, format!("not {}", inner.text(3))),
            Drawn::All(parts) => (2, joined(parts, " and ", 3)),
            Drawn::Any(parts) => (1, joined(parts, " or ", 2)),
        };
        if own < rank { format!("({text})") } else { text }
    }

    fn holds(&self, values: &BTreeMap<&str, Value>) -> bool {
        let is = |name: &str, limit: Value| values[name] < limit;
        match self {
            Drawn::Value(name) => values[name] != Value::Whole(0),
            Drawn::Compared(kind, operator, sides) => {
                let [left, right] = sides.each_ref().map(|side| side_of(*kind, side, values));
                match *operator {
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    ">=" => left >= right,
                    "==" => left == right,
                    _ => left != right,
                }
            }
            Drawn::Odd => matches!(values["whole"], Value::Whole(whole) if whole % 2 != 0),
            Drawn::Low => is("fine", Value::Real(0.0)) || is("large", Value::Whole(0)),
            Drawn::Not(inner) => !inner.holds(values),
            Drawn::All(parts) => parts.iter().all(|part| part.holds(values)),
            Drawn::Any(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }
}

/// What a side stands for; the few constants have their meaning here, and not by arithmetic.
fn side_of(kind: usize, side: &str, values: &BTreeMap<&str, Value>) -> Value {
    let known: f64 = match side {
        "true" => 1.0,
        "false" | "0" | "0.0" | "1 - 1" => 0.0,
        "'0'" => 48.0,
        "49" => 49.0,
        "50" => 50.0,
        "-1" => -1.0,
        "2" | "4 / 2" => 2.0,
        "-0.5" => -0.5,
        "1 / 2" | "0.25 * 2" => 0.5,
        name => return values[name],
    };
    #[expect(clippy::cast_possible_truncation, reason = "they are small and whole")]
    let whole = Value::Whole(known as i64);
    if kind < 6 { whole } else { Value::Real(known) }
}

const DESCRIPTION: &str = r#"[system]
name = "guards"
timing = ["guards.tdl"]
application = "app"

[board]
name = "mps2-an385"
flash = "128k"
ram = "32k"

[c]
sources = ["odd.c"]
functions = ["is_odd"]

[process.one]
memory = "64"
driver_stack = "512"

[process.two]
memory = "64"
driver_stack = "512"

[[band]]
name = "all"
policy = "dynamic"

[task.mix]
process = "two"
worst = "1ms"
stack = "512"
"#;

const GETTERS: [(&str, &str, &str); 9] = [
    ("boolean", "flag", "u8"),
    ("byte", "tiny", "i8"),
    ("short", "small", "i16"),
    ("int", "whole", "i32"),
    ("long", "large", "i64"),
    ("char", "letter", "u8"),
    ("float", "single", "f32"),
    ("double", "fine", "f64"),
    ("Fix", "fix", "Fix"),
];

const CODE: &str = r"//! Values of each type that change from one instant to the next.
#![no_std]
#![allow(missing_docs)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Fix {
    pub x: i32,
    pub y: f32,
}

static STATE: AtomicU32 = AtomicU32::new(1);

/// One of six, at random.
fn next() -> i32 {
    let state = STATE.load(Relaxed).wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    STATE.store(state, Relaxed);
    i32::try_from((state >> 16) % 6).unwrap_or(0) - 2
}

fn half(number: i32) -> f32 {
    match number {
        3 => f32::NAN,
        number => f32::from(i16::try_from(number).unwrap_or(0)) / 2.0,
    }
}

pub fn read_flag(value: &mut u8) { *value = u8::from(next() > 0); }
pub fn read_tiny(value: &mut i8) { *value = i8::try_from(next()).unwrap_or(0); }
pub fn read_small(value: &mut i16) { *value = i16::try_from(next()).unwrap_or(0); }
pub fn read_whole(value: &mut i32) { *value = next(); }
pub fn read_large(value: &mut i64) { *value = i64::from(next()); }
pub fn read_letter(value: &mut u8) { *value = u8::try_from(50 + next()).unwrap_or(0); }
pub fn read_single(value: &mut f32) { *value = half(next()); }
pub fn read_fine(value: &mut f64) { *value = f64::from(half(next())); }
pub fn read_fix(value: &mut Fix) { *value = Fix { x: next(), y: half(next()) }; }
pub fn read_pace(value: &mut i32) { *value = next(); }
pub fn set(_value: &i32) {}
pub fn is_low(fine: &f64, large: &i64) -> bool { *fine < 0.0 || *large < 0 }
pub fn mix_impl(whole: &i32, large: &i64, fine: &f64, odd: &mut u8, last: &mut i32, total: &mut i64, half: &mut f64) {
    *odd = u8::from(*whole % 2 != 0);
    *last = *whole;
    *total = *large + i64::from(*whole);
    *half = *fine / 2.0;
}
";

/// Half of what every other actuator is told; the others are told a sensor's value.
fn constant(number: usize) -> Option<i64> {
    (number % 2 == 1).then(|| 20 - i64::try_from(number).expect("it is small"))
}

fn program(guards: &[Drawn]) -> String {
    let mut text = "module Guards {\n  struct Fix { int x; float y; }\n".to_owned();
    for (kind, name, _) in GETTERS {
        text += &format!("  sensor {kind} {name} uses read_{name};\n");
    }
    text += "  task mix {\n    input int a; input long b; input double c;\n    output boolean odd := false; \
             output int last := 0; output long total := 0; output double half := 0;\n    \
             uses mix_impl(a, b, c, odd, last, total, half);\n  }\n";
    let mut updates = String::new();
    for (number, guard) in guards.iter().enumerate() {
        text += &format!("  actuator int a{number} := 0 uses set;\n");
        let source = constant(number).map_or("whole".to_owned(), |constant| format!("{constant} * 2"));
        updates += &format!("    actuator [freq = 1] if {} then a{number} := {source};\n", guard.text(0));
    }
    text + "  start mode on [period = 100ms] {\n    task [freq = 1] mix(whole, large, fine);\n"
        + &updates
        + "  }\n}\n"
        + course::TEXT
}

/// The sensors' or the actuators' half of a recording: instants, names and bytes.
fn half<'a>(recording: &'a str, title: &str) -> Vec<(u64, &'a str, Vec<u8>)> {
    let lines = recording.lines().skip_while(|line| *line != title).skip(2);
    let lines = lines
        .take_while(|line| !line.is_empty() && !line.starts_with('['))
        .filter(|line| !line.starts_with('#'));
    let bytes = |text: &str| {
        (0..text.len() / 2)
            .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("a byte"))
            .collect()
    };
    let fields = lines.map(|line| line.split(',').collect::<Vec<_>>());
    fields.map(|row| (row[0].parse().expect("an instant"), row[1], bytes(row[2]))).collect()
}

fn value(name: &str, bytes: &[u8]) -> Value {
    fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes[..N].try_into().expect("enough")
    }
    match name {
        "flag" | "letter" => Value::Whole(bytes[0].into()),
        "tiny" => Value::Whole(i8::from_le_bytes(fixed(bytes)).into()),
        "small" => Value::Whole(i16::from_le_bytes(fixed(bytes)).into()),
        "whole" => Value::Whole(i32::from_le_bytes(fixed(bytes)).into()),
        "large" => Value::Whole(i64::from_le_bytes(fixed(bytes))),
        "single" => Value::Real(f32::from_le_bytes(fixed(bytes)).into()),
        _ => Value::Real(f64::from_le_bytes(fixed(bytes))),
    }
}

/// What the actuators are told in a recording, by the drawn guards over the values of the same recording.
fn expected(guards: &[Drawn], recording: &str) -> Vec<(u64, String, Value)> {
    let mut read: BTreeMap<u64, BTreeMap<&str, Value>> = BTreeMap::new();
    for (instant, name, bytes) in half(recording, "[sensors]") {
        let at = read.entry(instant).or_default();
        match name {
            "pace" => {}
            "fix" => {
                at.insert("fix.x", value("whole", &bytes));
                at.insert("fix.y", value("single", &bytes[4..]));
            }
            name => drop(at.insert(name, value(name, &bytes))),
        }
    }
    let mut outputs: BTreeMap<&str, Value> =
        ["mix.odd", "mix.last", "mix.total"].map(|name| (name, Value::Whole(0))).into();
    outputs.insert("mix.half", Value::Real(0.0));
    let mut told = Vec::new();
    for (instant, mut values) in read.into_iter().filter(|(_, values)| !values.is_empty()) {
        assert_eq!(instant % PERIOD, 0);
        values.append(&mut outputs.clone());
        let held = guards.iter().enumerate().filter(|(_, guard)| guard.holds(&values));
        told.extend(held.map(|(number, _)| {
            let value = constant(number).map_or(values["whole"], |half| Value::Whole(2 * half));
            (instant, format!("a{number}"), value)
        }));
        let (Value::Whole(whole), Value::Whole(large)) = (values["whole"], values["large"]) else { panic!() };
        let Value::Real(fine) = values["fine"] else { panic!() };
        outputs = BTreeMap::from([
            ("mix.odd", Value::Whole(i64::from(whole % 2 != 0))),
            ("mix.last", Value::Whole(whole)),
            ("mix.total", Value::Whole(whole + large)),
            ("mix.half", Value::Real(fine / 2.0)),
        ]);
    }
    told
}

/// What the actuators of the module with modes are told, by what its sensor says in the same recording.
fn expected_of_course(recording: &str) -> Vec<(u64, String, Value)> {
    const MILLISECOND: u64 = 1_000_000;
    let read = half(recording, "[sensors]").into_iter().filter(|(_, name, _)| *name == "pace");
    let pace = read.map(|(instant, _, bytes)| match value("whole", &bytes) {
        Value::Whole(pace) => (instant / MILLISECOND, pace),
        Value::Real(_) => panic!("it is an int"),
    });
    let (told, entered) = course::told(&pace.collect(), 10_000);
    assert!(entered.iter().all(|count| *count > 20), "{entered:?}");
    told.into_iter().map(|(now, name, value)| (now * MILLISECOND, name, Value::Whole(value))).collect()
}

#[test]
fn expressions_say_what_a_plain_reading_says_on_both_machines() {
    let _lock = lock("guards");
    println!("seed {SEED}");
    let mut random = SplitMix64(SEED);
    let guards: Vec<_> = (0..GUARDS).map(|number| Drawn::of(&mut random, number as u64 % 4)).collect();
    let system = folder().join("systems/guards");
    application(&system, "guards", CODE);
    fs::write(system.join("odd.c"), "bool is_odd(const int32_t *value) {\n    return *value % 2 != 0;\n}\n")
        .expect("written");
    fs::write(system.join("guards.tdl"), program(&guards)).expect("written");
    let mut description = DESCRIPTION.to_owned();
    let getters = GETTERS.map(|(_, name, _)| ("one", format!("read_{name}")));
    let others = [("one", "set"), ("one", "read_pace"), ("two", "is_odd"), ("two", "is_low")];
    let others = others.map(|(home, name)| (home, name.to_owned()));
    for (process, driver) in getters.into_iter().chain(others) {
        description += &format!("\n[driver.{driver}]\nprocess = \"{process}\"\nworst = \"20us\"\n");
    }
    fs::write(system.join("beryl.toml"), description).expect("written");

    let said = beryl(&["run", &system.display().to_string(), "--for", "10s"]).ended(0);
    assert!(
        said.lines().last().is_some_and(|line| line.contains("identical on sim and mps2-an385")),
        "{said}"
    );
    for machine in [TWIN, "mps2-an385"] {
        let recording = left_text("guards", &format!("{machine}.recording"));
        let told = half(&recording, "[actuators]");
        let told: Vec<_> = told
            .into_iter()
            .map(|(instant, name, bytes)| (instant, name.to_owned(), value("whole", &bytes)))
            .collect();
        let (told, of_course): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|(_, name, _)| name.starts_with('a'));
        assert_eq!(of_course, expected_of_course(&recording), "{machine}\n{}", course::TEXT);
        let expected = expected(&guards, &recording);
        assert_eq!(told, expected, "{machine}\n{}", program(&guards));
        let all = expected.len();
        assert!(all > 1000 && all < 100 * GUARDS - 1000, "{all}: they say yes and no");
    }
}
