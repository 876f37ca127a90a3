//! `--board`: a system for another board than the one that its description names.

mod common;

use std::fs;

use beryl_builder::board::{BOARDS, Board, Reads};

use common::{beryl, example, folder, left_text, lock, root};

/// A board that no example names.
const OTHER: &str = "mps2-an386";

#[test]
fn a_system_is_checked_for_another_board() {
    let helicopter = example("helicopter");
    let [own, other] = [&[][..], &["--board", OTHER]]
        .map(|board| beryl(&[&["check", &helicopter], board].concat()).ended(0));
    assert!(own.starts_with("helicopter on mps2-an385\n"), "{own}");
    // Steps are charged as they were measured on the first board, and the memories are alike.
    assert_eq!(own.replace("mps2-an385", OTHER), other);
    let said = beryl(&["check", &helicopter, "--board", "moon"]);
    assert!(
        said.err.contains("there are `mps2-an385`, `mps2-an386`, `mps2-an505`, `stm32f405` and `virt`"),
        "{said:?}"
    );
}

#[test]
fn a_file_of_system_code_is_for_no_board() {
    let said = beryl(&["check", "program.bsc", "--board", OTHER]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("leave `--board` out"), "{said:?}");
}

#[test]
fn a_run_for_another_board_is_repeated_for_it() {
    let _lock = lock("helicopter");
    beryl(&["sim", &example("helicopter"), "--board", OTHER, "--for", "100ms"]).ended(0);
    assert!(left_text("helicopter", "sim.run").contains("\"board\": \"mps2-an386\""));
    let kept = folder().join("out/helicopter/other_board.run");
    fs::copy(folder().join("out/helicopter/sim.run"), &kept).expect("the run was kept");
    let kept = kept.display().to_string();
    let again = beryl(&["sim", "--replay", &kept]).ended(0);
    assert!(again.contains("replayed: the same trace to the byte"), "{again}");
    let both = beryl(&["sim", "--replay", &kept, "--board", OTHER]);
    assert_eq!(both.code, Some(2), "a repeated run has its board: {both:?}");
    // One of a version that has more boards.
    let text = fs::read_to_string(&kept).expect("it is there");
    fs::write(&kept, text.replace(OTHER, "moon")).expect("written");
    let unknown = beryl(&["sim", "--replay", &kept]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    assert!(
        unknown.err.contains("there are `mps2-an385`, `mps2-an386`, `mps2-an505`, `stm32f405` and `virt`"),
        "{unknown:?}"
    );
}

#[test]
fn another_program_takes_over_on_another_board() {
    let _lock = lock("landing");
    let landing = example("landing");
    let swap = ["swap", &landing, "land.tdl", "--board", OTHER, "--at", "1s", "--for", "2s", "--on"];
    let said = beryl(&[&swap[..], &[OTHER]].concat()).ended(0);
    assert!(said.contains("identical on sim and mps2-an386"), "{said}");
    let said = beryl(&[&swap[..], &["mps2-an385"]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("landing is for mps2-an386 by `--board`, not for `mps2-an385`"), "{said:?}");
}

#[test]
fn a_trace_comes_from_another_board() {
    let _lock = lock("traced");
    let traced = example("traced");
    let said =
        beryl(&["trace", "record", &traced, "--board", OTHER, "--for", "100ms", "--unchecked"]).ended(0);
    assert!(said.contains("mps2-an386"), "{said}");
}

/// The page on porting says what the registry says.
#[test]
fn the_page_says_what_each_board_has() {
    const HEAD: &str = "|---|---|--:|---|---|---|---|\n";
    let path = root().join("docs/09-porting.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(HEAD).expect("its table");
    let (shown, after) = rest.split_once("\n\n").expect("the end of the table");
    let rows: Vec<_> = BOARDS.iter().map(row).collect();
    let rows = rows.join("\n");
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, format!("{before}{HEAD}{rows}\n\n{after}")).expect("the page can be written");
        return;
    }
    assert_eq!(shown, rows, "docs/09-porting.md says something else of the boards");
}

/// A board's row.
fn row(board: &Board) -> String {
    let with_lines = |name: &str| {
        let lines = board.device_lines.iter().find(|(device, _)| *device == name);
        let lines: Vec<_> =
            lines.into_iter().flat_map(|(_, lines)| *lines).map(|line| format!(" {line}")).collect();
        format!("`{name}`{}", lines.concat())
    };
    let devices: Vec<_> = board.devices.iter().map(|device| with_lines(device.name)).collect();
    let says = |has: bool| if has { "yes" } else { "no" };
    let processor = board.processor;
    format!(
        "| `{}` | {} | {} ns | {} | `{}` | {} | {} |",
        board.name,
        processor.name,
        board.tick.get(),
        devices.join(", "),
        processor.c.program,
        match processor.reads {
            Reads::Stacks => "stacks",
            Reads::StacksAndSteps => "stacks, steps",
        },
        says(board.world.is_some()),
    )
}
