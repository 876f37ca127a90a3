//! Stacks: what the build computes is enough for a flight, and less is refused.

use std::fs;
use std::path::PathBuf;

use common::{beryl, change, folder, lock, root};

mod common;

/// The helicopter under another name, with other sizes of stacks.
fn helicopter(name: &str, changes: &[(&str, &str)]) -> PathBuf {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "helicopter.tdl", "gust.csv"] {
        fs::copy(root().join("examples/helicopter").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"helicopter\"", &format!("name = {name:?}"));
    for part in ["app", "plant"] {
        change(
            &description,
            &format!("= {part:?}"),
            &format!("= \"../../../../examples/helicopter/{part}\""),
        );
    }
    for (from, to) in changes {
        change(&description, from, to);
    }
    system
}

/// Bytes that a thread needs, by the build.
fn needed(said: &str, thread: &str) -> u32 {
    let mut lines = said.lines().map(str::trim).skip_while(|line| *line != "Stacks").skip(1);
    let line = lines.find_map(|line| line.strip_prefix(thread)).unwrap_or_else(|| panic!("{thread}: {said}"));
    let (_, need) = line.split_once("bytes,").unwrap_or_else(|| panic!("{line}"));
    need.trim().split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn a_stack_that_is_too_small_is_refused() {
    let _lock = lock("helicopter_low");
    let system = helicopter("helicopter_low", &[("stack = \"1k\"", "stack = \"768\"")]);
    for command in ["build", "run"] {
        let mut arguments = vec![command, system.to_str().expect("a path")];
        arguments.extend((command == "run").then_some(["--for", "10ms"]).into_iter().flatten());
        let ran = beryl(&arguments);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        let of = |thread: &str| format!("the stack of thread `{thread}` has 768 bytes and can need ");
        assert!(said.contains(&of("navigate")) && said.contains(&of("control")), "{said}");
        assert!(said.contains("36 for an exception and 8 that it shares with the kernel"), "{said}");
        assert!(said.contains("write `stack = \"832\"` in [task.navigate]"), "{said}");
    }
}

/// On another processor, functions need other stacks, and no exception comes on them.
#[test]
fn a_stack_that_is_too_small_is_refused_on_another_processor() {
    let _lock = lock("helicopter_low_on_virt");
    let system = helicopter("helicopter_low_on_virt", &[("stack = \"1k\"", "stack = \"768\"")]);
    let ran = beryl(&["build", system.to_str().expect("a path"), "--board", "virt"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "the stack of thread `navigate` has 768 bytes and can need 896: 880 on the deepest way through",
        "its code, and 16 that it shares with the kernel",
        "the stack of thread `control` has 768 bytes and can need 880",
        "write `stack = \"896\"` in [task.navigate]",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn what_was_computed_is_enough_for_a_flight() {
    let _lock = lock("helicopter_tight");
    let system = helicopter("helicopter_tight", &[]);
    let path = system.to_str().expect("a path");
    let said = beryl(&["build", path]).ended(0);
    let size = |thread: &str| needed(&said, thread).next_multiple_of(32).max(128);
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a text");
    let mut tasks = [size("navigate "), size("control ")].into_iter();
    let mut drivers = [size("navigation drivers "), size("control drivers ")].into_iter();
    let lines = text.lines().map(|line| match line.split(" = ").next() {
        Some("stack") => format!("stack = \"{}\"", tasks.next().expect("two tasks")),
        Some("driver_stack") => format!("driver_stack = \"{}\"", drivers.next().expect("two processes")),
        _ => line.to_owned(),
    });
    fs::write(&description, lines.collect::<Vec<_>>().join("\n")).expect("the file can be written");
    let said = beryl(&["run", path, "--for", "1s"]).ended(0);
    assert!(said.contains("identical on sim and mps2-an385; 0 deadline misses"), "{said}");
}

#[test]
fn what_the_code_does_not_tell_is_by_declaration() {
    let _lock = lock("stray");
    let said = beryl(&["build", "--unchecked", &common::example("stray")]).ended(0);
    let expected = "overflow          512 bytes, as declared; not computed: recursion: stray::overflow::deeper calls \
                    stray::overflow::deeper";
    assert!(said.contains(expected), "{said}");
    assert!(needed(&said, "steady drivers ") < 512, "through the table of its drivers: {said}");
}
