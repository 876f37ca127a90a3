//! The board virt: another processor with another protection unit and another clock. A system runs there unchanged, with
//! the same actuator writes to the bit; what the board lacks is refused.

mod common;

use common::{beryl, example, flight, left_text, lock, root};

/// The helicopter on another processor writes what it writes in a simulation for the board that it names.
#[test]
fn a_system_runs_unchanged_on_another_processor() {
    let _lock = lock("flight_on_virt");
    let system = flight("flight_on_virt").display().to_string();
    let said = beryl(&["run", &system, "--board", "virt", "--for", "1s"]).ended(0);
    let last = "flight_on_virt: 50 actuator writes, identical on sim and virt; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(left_text("flight_on_virt", "virt.recording"), left_text("flight_on_virt", "sim.recording"));
}

#[test]
fn what_isnt_derived_from_its_binary_is_said() {
    let said = beryl(&["check", &example("helicopter"), "--board", "virt"]).ended(0);
    for part in [
        "helicopter on virt\n",
        "  kernel, declared: steps on virt are charged 2 times what bounds those on mps2-an385, and not derived from its own binary\n",
        "  stacks, declared: machine code of RV32IMAC isn't read, so nobody has computed whether they are large enough\n",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let own = beryl(&["check", &example("helicopter")]).ended(0);
    assert!(!own.contains("declared:"), "{own}");
}

#[test]
fn what_the_board_lacks_is_refused() {
    let refused = |arguments: &[&str], reason: &str| {
        let said = beryl(&[arguments, &["--board", "virt"]].concat());
        assert_eq!(said.code, Some(1), "{arguments:?}: {said:?}");
        assert!(said.err.contains(reason), "{arguments:?}: {said:?}");
    };
    let helicopter = example("helicopter");
    refused(&["run", &helicopter, "--live"], "its environment can't answer while it runs yet");
    refused(&["measure", &helicopter], "counting jobs needs to read machine code");
    refused(&["debug", &helicopter], "a debugger's script needs to read machine code");
    let in_c = root().join("conformance/numbers").display().to_string();
    for command in ["check", "build"] {
        refused(&[command, &in_c], "board virt: functions in C aren't built for this processor yet");
    }
}
