//! The file of assertions: tables `[assert.NAME]`, by themselves or in a system description.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use beryl_abi::{Duration, Instant, ThreadId};
use beryl_builder::quantity::Nanoseconds;
use beryl_trace::assertion::{Assertion, Point, Trouble};
use beryl_trace::{LogicalInstant, Names};
use serde::Deserialize;

/// An assertion with its name.
pub struct Stated {
    /// What it is called.
    pub name: String,
    /// What it says.
    pub assertion: Assertion,
}

/// An assertion as it is written: one of the keys says of which kind it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    response: Option<String>,
    jitter: Option<String>,
    latency: Option<[String; 2]>,
    age: Option<[String; 2]>,
    order: Option<[String; 2]>,
    never: Option<String>,
    most: Option<String>,
    of: Option<String>,
}

const KINDS: &str = "response, jitter, latency, age, order, never";

/// Reads the assertions of a file; names are those of a trace.
///
/// # Errors
/// Files that can't be read or aren't TOML, other tables than assertions, what isn't an assertion, names that the trace
/// doesn't have. The error says in which table.
pub fn read(file: &Path, names: &Names) -> Result<Vec<Stated>> {
    let text = fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
    parse(&text, names).with_context(|| format!("{} has something wrong", file.display()))
}

fn parse(text: &str, names: &Names) -> Result<Vec<Stated>> {
    let mut all: toml::Table = text.parse()?;
    let tables = match all.remove("assert") {
        Some(toml::Value::Table(tables)) if !tables.is_empty() => tables,
        _ => bail!("it asserts nothing; write tables `[assert.NAME]`, see `beryl trace check --help`"),
    };
    // A description has other tables of its own; elsewhere they would be slips of the pen.
    if let Some(other) = all.keys().next().filter(|_| !all.contains_key("system")) {
        bail!("`{other}` is no assertion; write `[assert.{other}]`");
    }
    let stated = |(name, value): (String, toml::Value)| {
        let assertion = assertion(value, names).with_context(|| format!("[assert.{name}]"))?;
        Ok(Stated { name, assertion })
    };
    tables.into_iter().map(stated).collect()
}

fn assertion(value: toml::Value, names: &Names) -> Result<Assertion> {
    let written: Written = value.try_into()?;
    let most = || limit(written.most.as_deref(), names);
    let point = |text: &str| Ok::<_, anyhow::Error>(Point::named(text, names)?);
    let pair = |[first, second]: &[String; 2]| Ok::<_, anyhow::Error>((point(first)?, point(second)?));
    if written.never.is_none() && written.of.is_some() {
        bail!("`of` belongs to `never`; leave it out");
    }
    if (written.never.is_some() || written.order.is_some()) && written.most.is_some() {
        bail!("`most` limits a time; leave it out");
    }
    if written.kinds() != 1 {
        bail!("it needs exactly one of {KINDS}");
    }
    if let Some(task) = &written.response {
        return Ok(Assertion::Response { task: thread(task, names)?, most: most()? });
    }
    if let Some(of) = &written.jitter {
        return Ok(Assertion::Jitter { of: point(of)?, most: most()? });
    }
    if let Some(ends) = &written.latency {
        let (from, to) = pair(ends)?;
        return Ok(Assertion::Latency { from, to, most: most()? });
    }
    if let Some(ends) = &written.age {
        let (of, at) = pair(ends)?;
        return Ok(Assertion::Age { of, at, most: most()? });
    }
    if let Some(ends) = &written.order {
        let (first, second) = pair(ends)?;
        return Ok(Assertion::Order { first, second });
    }
    let of = written.of.as_deref().map(|of| thread(of, names)).transpose()?;
    Ok(Assertion::Never { what: trouble(written.never.as_deref().unwrap_or_default())?, of })
}

impl Written {
    /// How many kinds it is of: one, if it is right.
    fn kinds(&self) -> usize {
        let one = [self.response.is_some(), self.jitter.is_some(), self.never.is_some()];
        let two = [self.latency.is_some(), self.age.is_some(), self.order.is_some()];
        one.into_iter().chain(two).filter(|given| *given).count()
    }
}

fn limit(most: Option<&str>, names: &Names) -> Result<Duration> {
    let most = most.ok_or_else(|| anyhow!("`most` is missing; write a time, like most = \"5ms\""))?;
    let time = Nanoseconds::read(most)
        .map_err(|reason| anyhow!("`{most}`: {reason}; write {}", Nanoseconds::NOTATION))?;
    // What is less than a tick can't be seen.
    Ok(names.tick.instant(LogicalInstant::from_nanoseconds(time.get())).since(Instant::START))
}

fn thread(name: &str, names: &Names) -> Result<ThreadId> {
    names.thread_called(name).ok_or_else(|| {
        let known: Vec<_> = names.tasks().map(|(_, known)| known.name.as_str()).take(40).collect();
        anyhow!("there is no task `{name}`; there are {}", known.join(", "))
    })
}

fn trouble(name: &str) -> Result<Trouble> {
    let found = Trouble::NAMES.iter().find(|(known, _)| *known == name).map(|(_, trouble)| *trouble);
    found.ok_or_else(|| {
        anyhow!("`{name}` can't be; write {}", Trouble::NAMES.map(|(known, _)| known).join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = r#"{"system": "s", "tick": {"nanoseconds": 1000, "ticks": 1}, "processes": [], "programs": [],
        "threads": [{"name": "a", "process": "", "kind": "task"}, {"name": "b", "process": "", "kind": "task"}],
        "drivers": [{"name": "gps", "kind": "sensor", "value": "int"}]}"#;

    fn parsed(text: &str) -> Result<Vec<Assertion>> {
        let names = Names::parse(NAMES).expect("names");
        Ok(parse(text, &names)?.into_iter().map(|stated| stated.assertion).collect())
    }

    #[test]
    fn each_kind_is_read() {
        let (a, b) = (ThreadId(0), ThreadId(1));
        let gps = Point::Driver(beryl_abi::DriverId(0));
        let most = Duration::from_ticks(5000);
        let cases = [
            ("response = \"a\"\nmost = \"5ms\"", Assertion::Response { task: a, most }),
            ("jitter = \"gps\"\nmost = \"5ms\"", Assertion::Jitter { of: gps, most }),
            (
                "latency = [\"gps\", \"b\"]\nmost = \"5ms\"",
                Assertion::Latency { from: gps, to: Point::End(b), most },
            ),
            (
                "age = [\"start of a\", \"b\"]\nmost = \"5ms\"",
                Assertion::Age { of: Point::Start(a), at: Point::End(b), most },
            ),
            ("order = [\"a\", \"b\"]", Assertion::Order { first: Point::End(a), second: Point::End(b) }),
            ("never = \"miss\"", Assertion::Never { what: Trouble::Miss, of: None }),
            ("never = \"fault\"\nof = \"b\"", Assertion::Never { what: Trouble::Fault, of: Some(b) }),
        ];
        for (text, expected) in cases {
            assert_eq!(parsed(&format!("[assert.x]\n{text}")).expect(text), [expected]);
        }
        let described = "[system]\nname = \"s\"\n[assert.x]\nnever = \"miss\"";
        assert_eq!(parsed(described).expect("in a description").len(), 1);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_table() {
        let cases = [
            ("", "it asserts nothing; write tables `[assert.NAME]`"),
            ("[assert]", "it asserts nothing"),
            (
                "[asert.x]\nnever = \"miss\"\n[assert.y]\nnever = \"miss\"",
                "`asert` is no assertion; write `[assert.asert]`",
            ),
            (
                "[assert.x]",
                "[assert.x]: it needs exactly one of response, jitter, latency, age, order, never",
            ),
            ("[assert.x]\nresponse = \"a\"\njitter = \"a\"\nmost = \"1ms\"", "it needs exactly one of"),
            ("[assert.x]\nresponse = \"a\"", "[assert.x]: `most` is missing"),
            ("[assert.x]\nresponse = \"a\"\nmost = \"5\"", "`5`: its unit is missing; write"),
            ("[assert.x]\nresponse = \"c\"\nmost = \"5ms\"", "there is no task `c`; there are a, b"),
            ("[assert.x]\njitter = \"c\"\nmost = \"5ms\"", "nothing is called `c`; there are a, b, gps"),
            (
                "[assert.x]\nnever = \"rain\"",
                "`rain` can't be; write miss, violation, fault, overrun, skip, stray",
            ),
            ("[assert.x]\nnever = \"miss\"\nmost = \"1ms\"", "`most` limits a time; leave it out"),
            ("[assert.x]\norder = [\"a\", \"b\"]\nof = \"a\"", "`of` belongs to `never`; leave it out"),
            ("[assert.x]\norder = [\"a\"]", "[assert.x]: "),
            ("[assert.x]\nweather = 1", "unknown field `weather`"),
            ("[assert.x", "line 1"),
        ];
        for (text, expected) in cases {
            let error = parsed(text).map(|_| ()).expect_err(text);
            assert!(format!("{error:#}").contains(expected), "{text:?}: {error:#}");
        }
    }
}
