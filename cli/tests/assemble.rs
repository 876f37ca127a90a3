//! System code by hand: from a container to text, changed, and back; in flight, and what is wrong with it.

use std::fs;

use beryl_trace::{Happening, decode};
use common::{beryl, example, folder, left, lock};

mod common;

/// A folder of this test's own, away from what others write.
fn own(name: &str) -> std::path::PathBuf {
    let place = folder().join(format!("assemble-{name}-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a folder");
    place
}

#[test]
fn a_program_changed_by_hand_takes_over_in_flight() {
    let _lock = lock("landing");
    let landing = example("landing");
    let place = own("flight");
    beryl(&["swap", &landing, "land.tdl", "--for", "1s"]).ended(0);
    // Built here even where a container is left: that may be another board's, whose grain is another one.
    beryl(&["build", &landing]).ended(0);
    let container = folder().join("build/landing/land.bsc");
    let path = |name: &str| place.join(name).display().to_string();
    beryl(&["assemble", &container.display().to_string(), "--out", &path("land.bsa")]).ended(0);
    let text = fs::read_to_string(place.join("land.bsa")).expect("the text");
    beryl(&["assemble", &path("land.bsa"), "--out", &path("same.bsc")]).ended(0);
    assert_eq!(
        fs::read(place.join("same.bsc")).expect("the same"),
        fs::read(&container).expect("the container")
    );

    // The rotor is left alone: whoever flies by this text drifts, but the board accepts it.
    // Two drivers have the rotor's name, so it is called by its number.
    let is_rotor = |line: &&str| line.trim().starts_with("call") && line.contains('#');
    assert_eq!(text.lines().filter(is_rotor).count(), 2, "{text}");
    let changed: Vec<_> = text.lines().filter(|line| !is_rotor(line)).collect();
    fs::write(place.join("still.bsa"), changed.join("\n")).expect("written");
    beryl(&["assemble", &path("still.bsa")]).ended(0);
    let ran = beryl(&["swap", &landing, &path("still.bsc"), "--at", "500ms", "--for", "1s"]);
    let events = decode(&left("landing", "swap.sim.trace")).expect("a whole trace");
    let swaps = events.iter().filter(|event| matches!(event.happening, Happening::Swap { .. })).count();
    assert_eq!(swaps, 1, "{ran:?}");
    fs::remove_dir_all(&place).expect("removed");
}

#[test]
fn mistakes_are_all_told_with_their_places_and_nothing_is_written() {
    let place = own("mistakes");
    let path = |name: &str| place.join(name).display().to_string();
    fs::write(place.join("wrong.bsa"), "module m\nstart a0\na0: cal x\n    jump nowhere\n").expect("written");
    let ran = beryl(&["assemble", &path("wrong.bsa")]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("wrong.bsa:3:") && ran.err.contains("wrong.bsa:4:"), "{ran:?}");
    assert!(!place.join("wrong.bsc").exists());
    // What no target would accept is assembled all the same, and said to be so.
    fs::write(place.join("round.bsa"), "module m\ndriver d\nstart a0\na0: call d\nb: call d\n    jump b\n")
        .expect("written");
    let ran = beryl(&["assemble", &path("round.bsa")]).ended(0);
    let run = "  the shortest run that comes there:\n             0  call     d\n             1  call     d\n             2  jump     @1\n";
    assert!(ran.contains("will refuse it: instruction 2: a jump or branch goes backward"), "{ran}");
    assert!(ran.contains(run), "{ran}");
    let ran = beryl(&["check", &path("round.bsc")]);
    assert!(ran.code == Some(1) && ran.err.contains(run.trim_start()), "{ran:?}");
    fs::write(place.join("bytes"), [0xFF, 0xFE, 0]).expect("written");
    assert!(beryl(&["assemble", &path("bytes")]).err.contains("neither UTF-8 text nor a container"));
    fs::write(place.join("cut.bsc"), b"BSC2").expect("written");
    assert!(beryl(&["assemble", &path("cut.bsc")]).err.contains("the file is cut off"));
    fs::write(place.join("right.bsc"), "module m\nstart a0\na0: return\n").expect("written");
    assert!(beryl(&["assemble", &path("right.bsc")]).err.contains("would be written over"));
    assert_eq!(beryl(&["assemble", &path("missing")]).code, Some(1));
    fs::remove_dir_all(&place).expect("removed");
}
