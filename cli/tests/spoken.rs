//! What is printed has when and by whom before it, in the simulation and on the board: both as the
//! application itself knows them.

use std::fs;

use common::{beryl, lock, root, threads};

mod common;

/// Two threads that print who they are and what time it is, in ticks.
const APPLICATION: &str = "#![no_std]\n#![forbid(unsafe_code)]\n//! Says who speaks, and when.\n
use beryl_user::call::{spend, time};
use beryl_user::period::Period;
use beryl_user::println;
use beryl_user::time::Duration;

pub fn quick(mut period: Period) -> ! {
    loop {
        println!(\"quick {}\", time().ticks());
        period.wait();
    }
}

pub fn slow(mut period: Period) -> ! {
    loop {
        println!(\"slow {}\", time().ticks());
        spend(Duration::from_ticks(25_000));
        println!(\"slow {}\", time().ticks());
        period.wait();
    }
}
";

const SYSTEM: &str = r#"
[process.two]
memory = "64"
devices = ["uart0"]

[thread.quick]
process = "two"
priority = 9
entry = "quick"
stack = "1k"
period = "3ms"
worst = "0.4ms"

[thread.slow]
process = "two"
priority = 5
entry = "slow"
stack = "1k"
period = "10ms"
worst = "3ms"
"#;

/// Instant in ns, thread, and what it said itself: its name and an instant in ticks.
fn said(line: &str) -> Option<(u64, &str, &str, u64)> {
    let (head, text) = line.trim().split_once(": ")?;
    let (instant, thread) = head.split_once(" ms ")?;
    let (name, ticks) = text.split_once(' ')?;
    let (whole, part) = instant.split_once('.').unwrap_or((instant, ""));
    let ns = format!("{whole}{part:0<6}").parse().ok()?;
    Some((ns, thread, name, ticks.parse().ok()?))
}

#[test]
fn lines_say_when_and_by_whom_as_the_application_knows_it() {
    const TICK: u64 = 40;
    const LENGTH: u64 = 100;
    let _lock = lock("spoken");
    let system = threads("spoken", "app", SYSTEM);
    fs::create_dir_all(system.join("app/src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"spoken\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = {{ path = {:?} }}\n",
        root().join("user")
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("written");
    fs::write(system.join("app/src/lib.rs"), APPLICATION).expect("written");
    for (command, title) in [("sim", "Simulation"), ("run", "On mps2-an385")] {
        let ran = beryl(&[command, &system.display().to_string(), "--for", &format!("{LENGTH}ms")]);
        let out = ran.ended(0);
        let lines: Vec<_> = out.lines().skip_while(|line| *line != title).skip(1).map_while(said).collect();
        let count = |name: &str| lines.iter().filter(|line| line.2 == name).count();
        assert!(count("quick") >= 33 && count("slow") >= 20, "{title}: {out}");
        for (ns, thread, name, ticks) in &lines {
            assert_eq!(thread, name, "{title}: {out}");
            // A thread asks what time it is before it prints, and is then not kept from it for longer than
            // the other works.
            let asked = ticks * TICK;
            assert!((asked..asked + 500_000).contains(ns), "{title}: {thread} at {ns}, asked at {asked}");
        }
        assert!(lines.is_sorted_by_key(|line| line.0), "{title}: {out}");
    }
}
