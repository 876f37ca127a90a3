//! A full disk: what was asked for isn't there, so the command says so and fails, and what was there before still is.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use common::{beryl, example, finish, folder, left, lock, program};

mod common;

/// Everything that is written there finds no room.
const FULL: &str = "/dev/full";

#[test]
fn results_that_find_no_room_are_a_failure() {
    let full = || File::options().write(true).open(FULL).expect("the device");
    let helicopter = example("helicopter");
    for arguments in [&["check"][..], &["--json", "check"], &["plan"]] {
        let arguments = [arguments, &[&helicopter]].concat();
        let ran = finish(program(&arguments).stdout(full()));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("the results couldn't be written: No space left on device"), "{ran:?}");
    }
    // A reader that has heard enough is something else.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let ran = finish(program(&["check", &helicopter]).stdout(writer));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

/// Files are written beside the old ones first, so nothing is half there.
#[test]
fn files_that_find_no_room_leave_the_old_ones() {
    let _lock = lock("overload");
    let sim = |length: &str| beryl(&["sim", &example("overload"), "--unchecked", "--for", length]);
    sim("100ms");
    let out = folder().join("out/overload");
    for file in ["sim.trace.partial", "sim/trace.bin"] {
        let before = left("overload", "sim.trace");
        fs::remove_file(out.join(file)).ok();
        symlink(FULL, out.join(file)).expect("a link");
        let ran = sim("60ms");
        fs::remove_file(out.join(file)).expect("removed");
        assert_eq!(ran.code, Some(1), "{file}: {ran:?}");
        assert!(
            ran.err.contains("can't write") && ran.err.contains("No space left on device"),
            "{file}: {ran:?}"
        );
        assert_eq!(left("overload", "sim.trace"), before, "{file}");
    }
}
