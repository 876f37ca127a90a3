//! What assertions mean, in a description and in a file of their own.

use beryl_abi::{Duration, ThreadId};
use beryl_builder::description::Assertions;
use beryl_trace::Names;
use beryl_trace::assertion::{Assertion, Point, Trouble};
use beryl_trace::modes::{ModeName, ModuleModes};

use super::rendered;

const NAMES: &str = r#"{"system": "s", "tick": {"nanoseconds": 1000, "ticks": 1}, "processes": [], "programs": [],
    "threads": [{"name": "a", "process": "", "kind": "task"}, {"name": "beta", "process": "", "kind": "task"},
        {"name": "server", "process": "", "kind": "free"}, {"name": "idle", "process": "", "kind": "idle"}],
    "drivers": [{"name": "gps", "kind": "sensor", "value": "int"}, {"name": "publish a", "kind": "copy", "value": "int"}]}"#;

/// The assertions of a text about these names, or what is said of it.
fn read(text: &str) -> Result<Vec<Assertion>, String> {
    let names = Names::parse(NAMES).expect("names");
    let assertions = Assertions::parse("assertions.toml", text).map_err(|wrong| rendered(&wrong))?;
    let stated = assertions.about(&names).map_err(|wrong| rendered(&wrong))?;
    Ok(stated.iter().map(|stated| stated.says.about(&names).expect("known names")).collect())
}

#[test]
fn each_kind_is_read() {
    let (a, beta) = (ThreadId(0), ThreadId(1));
    let gps = Point::Signal(beryl_trace::SignalId(0));
    let most = Duration::from_ticks(5000);
    let cases = [
        ("response = \"a\"\nmost = \"5ms\"", Assertion::Response { task: a, most }),
        ("jitter = \"gps\"\nmost = \"5ms\"", Assertion::Jitter { of: gps, most }),
        (
            "latency = [\"gps\", \"beta\"]\nmost = \"5ms\"",
            Assertion::Latency { from: gps, to: Point::End(beta), most },
        ),
        (
            "age = [\"start of a\", \"release of beta\"]\nmost = \"5ms\"",
            Assertion::Age { of: Point::Start(a), at: Point::Release(beta), most },
        ),
        ("order = [\"a\", \"beta\"]", Assertion::Order { first: Point::End(a), second: Point::End(beta) }),
        ("never = \"miss\"", Assertion::Never { what: Trouble::Miss, of: None }),
        (
            "never = \"fault\"\nof = \"server\"",
            Assertion::Never { what: Trouble::Fault, of: Some(ThreadId(2)) },
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&format!("[assert.x]\n{text}")), Ok(vec![expected]));
    }
}

#[test]
fn in_a_description_other_tables_are_none_of_theirs() {
    let described =
        "[system]\nname = \"s\"\n[assert.second]\nnever = \"skip\"\n[assert.a]\nnever = \"stray\"";
    let never = |what| Assertion::Never { what, of: None };
    assert_eq!(read(described), Ok(vec![never(Trouble::Skip), never(Trouble::Stray)]), "in the text's order");
    let said =
        read("[asert.x]\nnever = \"miss\"\n[assert.y]\nnever = \"miss\"").expect_err("a slip of the pen");
    assert!(said.contains("has no key `asert`") && said.contains("did you mean `assert`?"), "{said}");
    let said = read("").expect_err("nothing");
    assert!(said.contains("the description has no [assert.name]"), "{said}");
}

/// Where two modules have equal names, the name alone could mean either; a mode's may, too.
#[test]
fn a_name_of_several_modules_is_refused_with_those_that_it_could_mean() {
    let names = NAMES
        .replace("\"name\": \"gps\"", "\"name\": \"Cabin.gap\"")
        .replace(
            "\"name\": \"publish a\", \"kind\": \"copy\"",
            "\"name\": \"Door.gap\", \"kind\": \"sensor\"",
        )
        .replace("\"programs\": []", "\"programs\": [\"Cabin\", \"Door\"]");
    let mut names = Names::parse(&names).expect("names");
    let mode = |name: &str| ModeName { name: name.into(), from: 0, asks: vec![] };
    let module = |program, modes: &[&str]| ModuleModes {
        program,
        tasks: vec![],
        start: 0,
        modes: modes.iter().map(|name| mode(name)).collect(),
    };
    names.modes = vec![module(0, &["stand", "open"]), module(1, &["open", "shut"])];
    let said = |text: &str| {
        let assertions = Assertions::parse("assertions.toml", &format!("[assert.x]\n{text}")).expect(text);
        let about = assertions.about(&names).map_err(|wrong| rendered(&wrong));
        about.map(|stated| stated[0].about(&names).expect("known names").mode)
    };
    let most = "most = \"5ms\"";
    let refused = [
        (
            format!("age = [\"gap\", \"a\"]\n{most}"),
            "`gap` is in several modules",
            "write `Cabin.gap` or `Door.gap`",
            ":2:8]",
        ),
        (
            format!("response = \"a\"\n{most}\nmode = \"open\""),
            "`open` is in several modules",
            "write `Cabin.open` or `Door.open`",
            ":4:8]",
        ),
        (
            format!("response = \"a\"\n{most}\nmode = \"opn\""),
            "there is no mode `opn`",
            "`stand`, `Cabin.open`, `Door.open`, `shut`",
            ":4:8]",
        ),
    ];
    for (text, message, help, place) in refused {
        let wrong = said(&text).expect_err(&text);
        for part in [message, help, place, "assertions.toml"] {
            assert!(wrong.contains(part), "{text}: {part}: {wrong}");
        }
        // What is proposed is taken.
        for proposed in help.trim_start_matches("write ").split(" or ").filter(|_| help.starts_with("write"))
        {
            let name = proposed.trim_matches('`');
            let own = name.rsplit('.').next().expect("a name");
            assert!(said(&text.replace(&format!("\"{own}\""), &format!("\"{name}\""))).is_ok(), "{name}");
        }
    }
    let mode =
        |text: &str| said(&format!("never = \"miss\"\nmode = \"{text}\"")).expect(text).expect("a mode");
    assert_eq!(mode("shut"), mode("Door.shut"));
    assert_eq!((mode("Cabin.open").position, mode("Door.open").position), (1, 0));
}

#[test]
fn names_that_nothing_has_are_told_with_their_place() {
    let cases = [
        (
            "response = \"bet\"\nmost = \"5ms\"",
            "there is no task `bet`",
            ":2:12]",
            "did you mean `beta`? The known ones: `a`, `beta`",
        ),
        (
            "response = \"gps\"\nmost = \"5ms\"",
            "there is no task `gps`",
            ":2:12]",
            "the known ones: `a`, `beta`",
        ),
        (
            "order = [\"a\", \"start of bta\"]",
            "there is no task, sensor or actuator `start of bta`",
            ":2:15]",
            "did you mean `beta`? The known ones: `a`, `beta`, `gps`",
        ),
        ("never = \"miss\"\nof = \"x\"", "there is no task or thread `x`", ":3:6]", "`a`, `beta`, `server`"),
    ];
    for (text, message, place, help) in cases {
        let said = read(&format!("[assert.x]\n{text}")).expect_err(text);
        for part in [message, place, help] {
            assert!(said.contains(part), "{text}: {said}");
        }
    }
}
