//! Mistakes of a first day with code: what is said of each, and that what it proposes helps.

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, assert_recorded, beryl, change, copy, example, folder, lock};

mod common;

/// A mistake in a system that `beryl new` makes.
struct Mistake {
    name: &'static str,
    /// How the system is made.
    made: &'static [&'static str],
    /// What is changed in which file.
    file: &'static str,
    from: &'static str,
    to: &'static str,
    /// Which command finds it.
    command: &'static str,
    proposed: Proposed,
}

/// What the message proposes, in words that can be typed.
#[derive(Clone, Copy)]
enum Proposed {
    /// Another name, where the wrong one is.
    Name,
    /// A function that has to be written.
    Function,
    /// Another head for a function that is there.
    Head,
    /// Nothing that could be typed: the compiler's words, or a folder that has to be found.
    Words,
}

const TANK: &[&str] = &["--template", "controller"];
const SHOP: &[&str] = &["--template", "server"];
const WARDEN: &[&str] = &["example", "warden"];
const LIFT: &[&str] = &["example", "lift"];
const IN_C: &[&str] = &["--lang", "c"];
const CODE: &str = "app/src/lib.rs";

const fn tank(
    name: &'static str,
    [file, from, to, command]: [&'static str; 4],
    proposed: Proposed,
) -> Mistake {
    Mistake { name, made: TANK, file, from, to, command, proposed }
}

const MISTAKES: &[Mistake] = &[
    tank("misspelt_function", [CODE, "fn control_impl", "fn contol_impl", "check"], Proposed::Name),
    tank("no_function", [CODE, "fn control_impl", "fn regulate", "check"], Proposed::Function),
    tank(
        "no_function_beside_a_macro",
        [
            CODE,
            "/// Reads the level.\npub fn read_level",
            "macro_rules! none { () => {} }\npub fn other",
            "sim",
        ],
        Proposed::Function,
    ),
    tank(
        "input_to_be_changed",
        [CODE, "control_impl(level: &i32", "control_impl(level: &mut i32", "sim"],
        Proposed::Head,
    ),
    tank(
        "another_type",
        [CODE, "filter_impl(level: &i32, mean: &mut i32", "filter_impl(level: &i32, mean: &mut i64", "build"],
        Proposed::Words,
    ),
    tank(
        "more_parameters",
        [
            CODE,
            "control_impl(level: &i32, sum: &mut i32",
            "control_impl(level: &i32, sum: &mut i32, more: bool",
            "build",
        ],
        Proposed::Head,
    ),
    tank(
        "more_than_is_given",
        [CODE, "set_pump(pump: &i32)", "set_pump(pump: &i32, fast: bool)", "sim"],
        Proposed::Head,
    ),
    tank("private_getter", [CODE, "pub fn read_level", "fn read_level", "build"], Proposed::Head),
    tank("unknown_value", [CODE, "WANTED - *level", "WANTED - *levl", "sim"], Proposed::Words),
    tank("half_a_statement", [CODE, "WANTED - *level;", "WANTED - ;", "build"], Proposed::Words),
    tank("wrong_crate", ["beryl.toml", "\"app\"", "\"apps\"", "check"], Proposed::Words),
    tank("wrong_environment", ["beryl.toml", "\"plant\"", "\"plants\"", "check"], Proposed::Words),
    tank(
        "no_environment",
        ["plant/src/lib.rs", "pub fn environment", "pub fn surroundings", "sim"],
        Proposed::Words,
    ),
    Mistake {
        name: "misspelt_entry",
        made: SHOP,
        file: "beryl.toml",
        from: "entry = \"steer\"",
        to: "entry = \"stear\"",
        command: "check",
        proposed: Proposed::Name,
    },
    Mistake {
        name: "another_handle",
        made: SHOP,
        file: CODE,
        from: "store(mut settings: Server<Wish, i32>)",
        to: "store(mut settings: Client<Wish, i32>)",
        command: "sim",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "no_period",
        made: SHOP,
        file: CODE,
        from: "show(mut period: Period, mut settings: Client<Wish, i32>) -> ! {",
        to: "show(mut settings: Client<Wish, i32>) -> ! {\n    let mut period = Period::new();",
        command: "sim",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "one_is_not_watched",
        made: WARDEN,
        file: CODE,
        from: "    /// The controller.\n    Steady,\n",
        to: "    // Nobody else.\n",
        command: "build",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "no_reports",
        made: WARDEN,
        file: CODE,
        from: "warden(mut reports: Supervisor<Watched>, mut warning: Writer<i32>) -> ! {",
        to: "warden(mut warning: Writer<i32>) -> ! {\n    let mut reports: Supervisor<Watched> = loop {};",
        command: "build",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "fields_in_another_order",
        made: LIFT,
        file: CODE,
        from: "    pub cabin: i32,\n    /// Where somebody waits; below zero if nobody does.\n    pub wanted: i32,",
        to: "    pub wanted: i32,\n    /// Where somebody waits; below zero if nobody does.\n    pub cabin: i32,",
        command: "build",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "misspelt_in_c",
        made: IN_C,
        file: "c/lamp.c",
        from: "void set_light",
        to: "void setlight",
        command: "check",
        proposed: Proposed::Words,
    },
    Mistake {
        name: "another_type_in_c",
        made: IN_C,
        file: "c/lamp.c",
        from: "set_light(const uint8_t *light",
        to: "set_light(const uint16_t *light",
        command: "sim",
        proposed: Proposed::Words,
    },
];

/// A system as `beryl new` makes it, or an example with a crate of its own, in a folder of tests.
fn made(mistake: &Mistake) -> PathBuf {
    let place = folder().join("mistakes").join(mistake.name);
    let _ = fs::remove_dir_all(&place);
    let path = place.display().to_string();
    if let ["example", name] = mistake.made {
        let from = PathBuf::from(example(name));
        copy(&from, &place);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = \"0.1\"\n"
        );
        fs::write(place.join("app/Cargo.toml"), manifest).expect("written");
    } else {
        beryl(&[&["new", path.as_str()], mistake.made].concat()).ended(0);
    }
    place
}

fn run(command: &str, place: &Path) -> Ran {
    let path = place.display().to_string();
    match command {
        "sim" => beryl(&["--color", "never", "sim", &path, "--for", "100ms"]),
        other => beryl(&["--color", "never", other, &path]),
    }
}

/// The lines of a help that follow a line ending so, up to the next that isn't as far to the right.
fn behind<'a>(said: &'a str, begin: &str) -> Vec<&'a str> {
    let mut lines = said.lines().skip_while(|line| !line.ends_with(begin)).skip(1);
    let first = lines.next().unwrap_or_default();
    let depth = |line: &str| line.len() - line.trim_start().len();
    [first].into_iter().chain(lines.take_while(|line| depth(line) == depth(first))).collect()
}

/// Types what the message proposes.
fn follow(mistake: &Mistake, place: &Path, said: &str) {
    let whole = |lines: Vec<&str>| lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    match mistake.proposed {
        Proposed::Name => {
            let name =
                said.split("did you mean `").nth(1).and_then(|rest| rest.split('`').next()).expect("a name");
            let wrong =
                said.split("is called `").nth(1).and_then(|rest| rest.split('`').next()).expect("a name");
            let texts = ["timing.tdl", "beryl.toml"].map(|file| place.join(file));
            let named = texts.into_iter().chain([place.join(format!("{}.tdl", mistake.name))]);
            for text in named.filter(|text| fs::read_to_string(text).is_ok_and(|text| text.contains(wrong))) {
                change(&text, wrong, name);
            }
        }
        Proposed::Function => {
            let text = fs::read_to_string(place.join(mistake.file)).expect("code");
            let begin = if said.contains("help: write") { "help: write" } else { "help: the system calls" };
            let head = whole(behind(said, begin)).replace("{ ... }", "");
            fs::write(place.join(mistake.file), format!("{text}\n{head} {{}}\n")).expect("written");
        }
        Proposed::Head => {
            let head = whole(behind(said, "help: the system calls"));
            let there = whole(behind(said, " has"));
            change(&place.join(mistake.file), &there, &head);
        }
        Proposed::Words => change(&place.join(mistake.file), mistake.to, mistake.from),
    }
}

#[test]
fn mistakes_are_told_where_they_are_and_what_is_proposed_helps() {
    let _lock = lock("mistakes");
    for mistake in MISTAKES {
        let place = made(mistake);
        change(&place.join(mistake.file), mistake.from, mistake.to);
        let ran = run(mistake.command, &place);
        assert_eq!(ran.code, Some(1), "{}: {ran:?}", mistake.name);
        let told = Ran { out: String::new(), ..ran }.everything();
        assert!(!told.contains("glue.rs") && !told.contains("src/process_"), "{}: {told}", mistake.name);
        if told.contains("beryl::builder::compiler") {
            // A compiler's words are its own. They are about this file, and about no other crate.
            let place = format!("mistakes/{}/{}:", mistake.name, mistake.file);
            assert!(told.contains(&place), "{}: {told}", mistake.name);
        } else {
            assert_recorded(&format!("mistakes/{}.txt", mistake.name), &told);
        }
        follow(mistake, &place, &told);
        let again = run(mistake.command, &place);
        assert_eq!(again.code, Some(0), "{}: following\n{told}\nleads to\n{again:?}", mistake.name);
    }
}
