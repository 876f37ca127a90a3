//! `--board`: a system for another board than the one that its description names.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::board::{BOARDS, Board};

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
        said.err.contains(
            "there are `mps2-an385`, `mps2-an386`, `mps2-an505`, `mps2-an521`, `stm32f405` and `virt`"
        ),
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
        unknown.err.contains(
            "there are `mps2-an385`, `mps2-an386`, `mps2-an505`, `mps2-an521`, `stm32f405` and `virt`"
        ),
        "{unknown:?}"
    );
}

#[test]
fn another_program_takes_over_on_another_board() {
    let _lock = lock("landing");
    let landing = example("landing");
    // The board's time goes on with the host's while a program is sent, and what is sent has to be there by then.
    let swap = ["swap", &landing, "land.tdl", "--board", OTHER, "--at", "8s", "--for", "9s", "--on"];
    let said = beryl(&[&swap[..], &[OTHER]].concat()).ended(0);
    assert!(said.contains("identical on sim and mps2-an386"), "{said}");
    let said = beryl(&[&swap[..], &["mps2-an385"]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("landing is for mps2-an386 by `--board`, not for `mps2-an385`"), "{said:?}");
}

/// Each of them has a timer that interrupts, which is another device on another processor, or a console, which has one line
/// for what has two elsewhere. One of them on one board in each turn.
#[test]
fn examples_with_a_timer_run_on_another_processor() {
    const EXAMPLES: [(&str, usize); 8] = [
        ("meter", 15),
        ("storm", 0),
        ("network", 0),
        ("console", 0),
        ("engine", 0),
        ("landing", 10),
        ("graft", 20),
        ("sampler", 10),
    ];
    let others = BOARDS.iter().skip(1).flat_map(|board| EXAMPLES.map(|example| (board.name, example)));
    let others: Vec<_> = others.collect();
    let shares = others.len();
    for (board, (system, writes)) in beryl_testing::whose_turn(others, shares) {
        let _lock = lock(system);
        let said = beryl(&["run", &example(system), "--board", board, "--for", "200ms"]);
        // What a board has no device for, it says.
        if said.err.contains(&format!("stands in on {board}"))
            || said.err.contains(&format!("nothing on {board} stands in"))
        {
            assert_eq!((said.code, board), (Some(1), "stm32f405"), "{said:?}");
            continue;
        }
        let said = said.ended(0);
        let last =
            format!("{system}: {writes} actuator writes, identical on sim and {board}; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    }
}

/// The server of the console waits for its interrupt after each byte, which has another line on each processor.
#[test]
fn a_console_tells_of_what_it_has_sent_on_each_board() {
    let _lock = lock("console");
    let told = |board: &Board| {
        let said = beryl(&["sim", &example("console"), "--board", board.name, "--for", "100ms"]).ended(0);
        said.lines().filter(|line| line.contains("ms server: ")).count()
    };
    let counts: Vec<_> =
        BOARDS.iter().filter(|board| !board.lines_of(board.console).is_empty()).map(told).collect();
    // One line of `alpha`, and five of `beta`.
    assert!(counts.len() > 3 && counts.iter().all(|count| *count == 6), "{counts:?}");
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
    const HEAD: &str = "|---|---|--:|---|---|\n";
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
    let processor = board.processor;
    format!(
        "| `{}` | {} | {} ns | {} | `{}` |",
        board.name,
        processor.name,
        board.tick.get(),
        devices.join(", "),
        processor.c.program,
    )
}

/// What several ports or boards have in common.
const SHARED: [&str; 3] = ["kernel/ports/common", "kernel/boards/emulated", "kernel/boards/mps2"];
/// What is no part of a port or a board: tests, and systems that only a board has.
const BESIDE: [&str; 6] = ["tests", "tests.rs", "faults", "hostile", "crossed", "stranger"];

/// Lines of a crate's sources beside its tests, up to the first part of a file that is for tests only; and how many of them
/// are code, neither empty nor a comment.
fn lines(folder: &Path) -> [usize; 2] {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if BESIDE.contains(&name) => [0; 2],
        _ if path.is_dir() => lines(&path),
        Some(name) if name.ends_with(".rs") => {
            let text = fs::read_to_string(&path).expect("a source");
            let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("#[cfg(test)]"));
            let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
            [lines.clone().count(), lines.filter(is_code).count()]
        }
        _ => [0; 2],
    };
    entries.map(of).fold([0; 2], |[lines, code], [more, of_code]| [lines + more, code + of_code])
}

/// The folders of the ports, of what boards share, and of the boards, each once and with its lines.
fn counted() -> Vec<(&'static str, [usize; 2])> {
    let ports = BOARDS.iter().map(|board| board.processor.package[1]);
    let all = ports.chain(SHARED).chain(BOARDS.iter().map(|board| board.package[1]));
    let mut counted: Vec<(&str, [usize; 2])> = Vec::new();
    for folder in all {
        if counted.iter().all(|(other, _)| *other != folder) {
            counted.push((folder, lines(&root().join(folder))));
        }
    }
    counted
}

/// The page on porting counts lines as they are.
#[test]
fn the_page_says_how_many_lines_ports_and_boards_are() {
    const HEAD: &str = "| folder | lines | code |\n|---|--:|--:|\n";
    let path = root().join("docs/09-porting.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(HEAD).expect("its table");
    let row = |(folder, [lines, code]): &(&str, [usize; 2])| format!("| `{folder}` | {lines} | {code} |\n");
    let rows: String = counted().iter().map(row).collect();
    let (shown, after) = rest.split_once("\n### ").expect("the end of the table");
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, format!("{before}{HEAD}{rows}\n### {after}")).expect("the page can be written");
        return;
    }
    type Row = (String, [usize; 2]);
    let figures = |text: &str| -> Vec<Row> {
        let row = |line: &str| {
            let mut cells = line.trim_matches(['|', ' ']).split(" | ");
            let (folder, lines, code) = (cells.next()?, cells.next()?, cells.next()?);
            Some((folder.to_owned(), [lines.parse().ok()?, code.parse().ok()?]))
        };
        text.lines().filter_map(row).collect()
    };
    // Lines come and go; a tenth more or less is the same.
    let is_near = |[shown, counted]: [usize; 2]| shown.abs_diff(counted) * 10 <= counted;
    let is_same = |((folder, lines), (other, counted)): (&Row, &Row)| {
        folder == other && (0..2).all(|column| is_near([lines[column], counted[column]]))
    };
    let (shown, rows) = (figures(shown), figures(&rows));
    let are_same = shown.len() == rows.len() && shown.iter().zip(&rows).all(is_same);
    assert!(are_same, "docs/09-porting.md counts something else: {shown:?}, and here are {rows:?}");
}

/// A board is its devices and where they are; one of a family that is there is next to nothing. A processor is what only it
/// has. The port for Cortex-M is for two of them, and has half as much for kernels that have a core of their own.
#[test]
fn boards_and_processors_take_few_lines() {
    let counted = counted();
    let of = |wanted: &str| {
        let found = counted.iter().find(|(folder, _)| *folder == wanted);
        found.map(|(_, lines)| *lines).unwrap_or_else(|| panic!("{wanted} isn't counted"))
    };
    for board in BOARDS {
        let [lines, code] = of(board.package[1]);
        let manifest = fs::read_to_string(root().join(board.package[1]).join("Cargo.toml")).expect("one");
        let most = if manifest.contains("\nberyl-mps2") { 30 } else { 150 };
        assert!(code < most && lines < 2 * most, "{}: {lines} lines, {code} of them code", board.name);
        let [lines, _] = of(board.processor.package[1]);
        let halves = if board.processor.name.starts_with("Arm") { 5 } else { 2 };
        assert!(lines < halves * 600, "{}: {lines} lines", board.processor.name);
    }
}
