//! Loops bounded by comments in Rust source, found again in optimised code.
//!
//! Calls that take thousands of instructions stand for work, so that the counts say which blocks ran how
//! often; what the compiler adds stays far below a thousand.

#[path = "../../../kernel/ports/code/tests/program/mod.rs"]
mod program;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use beryl_path::{PathError, Report, Request, Span, forbidden_symbols, longest_step, section_sizes};
use program::{Program, assembly, compile};

const SOURCE: &str = r#"
use core::ptr::{read_volatile, write_volatile};

static mut WORD: u32 = 1;
static mut TABLE: [u32; 64] = [0; 64];

unsafe extern "C" {
    safe fn one_thousand();
    safe fn two_thousand();
    safe fn four_thousand();
    safe fn eight_thousand();
}

#[inline(always)]
fn work<const THOUSANDS: usize>() {
    if THOUSANDS & 1 != 0 { one_thousand() }
    if THOUSANDS & 2 != 0 { two_thousand() }
    if THOUSANDS & 4 != 0 { four_thousand() }
    if THOUSANDS & 8 != 0 { eight_thousand() }
}

#[inline(always)]
fn store() {
    unsafe { write_volatile(&raw mut WORD, 1) }
}

#[inline(always)]
fn load() -> u32 {
    unsafe { read_volatile(&raw const WORD) }
}

#[inline(always)]
fn worked() -> bool {
    work::<1>();
    load() == 1
}

#[inline(never)]
fn handle<const STEP: usize>() -> bool {
    work::<STEP>();
    load() == 1
}

#[inline(always)]
fn contained(body: impl FnOnce()) {
    body()
}

#[unsafe(no_mangle)]
extern "C" fn called_in_the_body() {
    // step boundary
    loop {
        work::<1>();
        if load() != 1 {
            continue;
        }
        contained(|| {
            work::<2>();
            store();
        });
    }
}

#[inline(never)]
fn run<const STEP: usize, const POLL: usize>() {
    // step boundary
    while handle::<STEP>() {
        work::<POLL>();
    }
}

#[inline(always)]
fn handler<const BEFORE: usize, const STEP: usize, const POLL: usize, const AFTER: usize>() {
    work::<BEFORE>();
    run::<STEP, POLL>();
    work::<AFTER>();
}

#[unsafe(no_mangle)]
extern "C" fn long_ends() { handler::<1, 2, 4, 8>() }

#[unsafe(no_mangle)]
extern "C" fn long_poll() { handler::<1, 2, 8, 4>() }

#[inline(always)]
fn handled(count: u32) -> bool {
    // bound: 3
    for _ in 0..count {
        store();
        work::<1>();
    }
    load() == 1
}

#[unsafe(no_mangle)]
extern "C" fn all_inlined() {
    // step boundary
    while handled(load()) {
        work::<4>();
    }
    work::<2>();
}

#[inline(always)]
fn any(table: &[u32]) -> bool {
    table.iter().any(|word| { work::<1>(); *word == load() })
}

#[unsafe(no_mangle)]
extern "C" fn hidden_in_steps() {
    let table = unsafe { &*(&raw const TABLE) };
    // step boundary
    while any(table) {
        work::<4>();
    }
}

#[unsafe(no_mangle)]
extern "C" fn stored(count: u32) {
    for _ in 0..count { // bound: ROUNDS
        work::<1>();
        store();
    }
}

#[unsafe(no_mangle)]
extern "C" fn tested_in_front() {
    // bound: ROUNDS
    while worked() {
        store();
    }
}

#[unsafe(no_mangle)]
extern "C" fn left_early(count: u32) {
    // bound: 2 * ROUNDS
    loop {
        work::<1>();
        if load() == count {
            break;
        }
        work::<2>();
    }
}

#[unsafe(no_mangle)]
extern "C" fn nested(count: u32) {
    // bound: ROUNDS
    // (a remark)
    for outer in 0..count {
        store();
        work::<1>();
        // bound: 5
        for _ in 0..outer {
            store();
            work::<2>();
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn unrolled(count: u32) {
    // bound: ROUNDS
    for _ in 0..count {
        // bound: 2
        for _ in 0..2 {
            store();
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn common_head(count: u32) {
    // bound: ROUNDS
    loop {
        // bound: 5
        while worked() {
            store();
        }
        if load() == count {
            break;
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn continued(count: u32) {
    // bound: ROUNDS
    loop {
        work::<1>();
        if load() == count {
            continue;
        }
        work::<2>();
        if load() == count + 1 {
            break;
        }
    }
}

#[inline(always)]
fn helper(count: u32) {
    // bound: 3
    for _ in 0..count {
        work::<1>();
        store();
    }
}

#[unsafe(no_mangle)]
extern "C" fn inlined(count: u32) {
    // bound: ROUNDS
    for _ in 0..count {
        store();
        helper(load());
    }
}

#[unsafe(no_mangle)]
extern "C" fn searched(wanted: u32) -> usize {
    let table = unsafe { &*(&raw const TABLE) };
    // bound: 64
    table
        .iter()
        .position(|word| { work::<1>(); *word == wanted })
        .unwrap_or(64)
}

#[unsafe(no_mangle)]
extern "C" fn unnamed(count: u32) {
    for _ in 0..count { // bound: UNKNOWN
        store();
    }
}

#[unsafe(no_mangle)]
extern "C" fn unbounded(count: u32) {
    for _ in 0..count {
        work::<2>();
    }
}

#[unsafe(no_mangle)]
extern "C" fn hidden(wanted: u32) -> u32 {
    let table = unsafe { &*(&raw const TABLE) };
    let mut found = 0;
    // bound: ROUNDS
    for _ in 0..wanted {
        store();
        found += u32::from(table.iter().any(|word| { work::<1>(); *word == wanted }));
    }
    found
}

#[unsafe(no_mangle)]
extern "C" fn cleared(count: usize) {
    let table = unsafe { &mut *(&raw mut TABLE) };
    if let Some(front) = table.get_mut(..count) {
        front.fill(0);
    }
}
"#;

const KEPT: &[&str] = &[
    "long_ends",
    "long_poll",
    "all_inlined",
    "hidden_in_steps",
    "common_head",
    "continued",
    "stored",
    "tested_in_front",
    "left_early",
    "nested",
    "unrolled",
    "inlined",
    "searched",
    "unnamed",
    "unbounded",
    "hidden",
    "cleared",
    "called_in_the_body",
];

static PROGRAMS: LazyLock<[Program; 2]> =
    LazyLock::new(|| ["s", "3"].map(|level| compile("annotated", level, KEPT, &source())));

/// `SOURCE` and the work, each call of it with its return as many instructions as its name says.
fn source() -> String {
    let work = |thousands: u32| format!(".rept {}\n nop\n .endr\n bx lr", 1000 * thousands - 2);
    let (one, two, four, eight) = (work(1), work(2), work(4), work(8));
    let functions = [
        ("one_thousand", &*one),
        ("two_thousand", &*two),
        ("four_thousand", &*four),
        ("eight_thousand", &*eight),
    ];
    format!("{SOURCE}{}", assembly(&functions))
}

fn measure(
    program: &Program,
    entry: &str,
    rounds: u64,
    symbols: &BTreeMap<String, u64>,
) -> Result<Report, PathError> {
    let request = Request {
        entries: vec![entry.into()],
        bounds: BTreeMap::from([("ROUNDS".to_owned(), rounds)]),
        symbol_bounds: symbols.clone(),
        source_roots: vec![program.folder.clone()],
        ..Request::default()
    };
    longest_step(&program.elf, &request)
}

/// Thousands of instructions on the longest path from `entry`.
fn thousands(program: &Program, entry: &str, rounds: u64) -> u64 {
    let report =
        measure(program, entry, rounds, &BTreeMap::new()).unwrap_or_else(|error| panic!("{entry}: {error}"));
    assert!(report.longest % 1000 < 500, "{entry}: {report}");
    report.longest / 1000
}

#[test]
fn bounds_are_found_through_the_line_table() {
    for program in &*PROGRAMS {
        for rounds in [1, 4, 7] {
            assert_eq!(thousands(program, "stored", rounds), rounds);
            assert_eq!(thousands(program, "tested_in_front", rounds), rounds + 1);
            // Level 3 rotates the loop around its exit and so spends a round before it.
            let left_early = 2 * rounds * 3 - 2;
            assert!((left_early..=left_early + 3).contains(&thousands(program, "left_early", rounds)));
            // Both loops begin with the same test: at least what it can be, at most once for each loop.
            let common_head = thousands(program, "common_head", rounds);
            assert!((rounds * 6..=rounds * 6 + 1).contains(&common_head), "{common_head}");
            assert_eq!(thousands(program, "continued", rounds), rounds * 3);
            assert_eq!(thousands(program, "nested", rounds), rounds * (1 + 5 * 2));
            assert_eq!(thousands(program, "inlined", rounds), rounds * 3);
        }
        // Nothing shows that the search tests behind its body.
        assert!((64..=65).contains(&thousands(program, "searched", 0)));
    }
}

#[test]
fn an_unrolled_loop_keeps_the_outer_bound() {
    for program in &*PROGRAMS {
        let length =
            |rounds| measure(program, "unrolled", rounds, &BTreeMap::new()).expect("it is bounded").longest;
        let round = length(11) - length(10);
        // At level 3, one round of the machine's loop is sixteen of the source's.
        assert!((4..50).contains(&round), "{round}");
        assert_eq!(length(110) - length(10), 100 * round);
    }
}

#[test]
fn a_step_ends_at_the_boundary() {
    for program in &*PROGRAMS {
        for (entry, span, length) in
            [("long_ends", Span::BoundaryToExit, 2 + 8), ("long_poll", Span::BoundaryToBoundary, 2 + 8)]
        {
            let report = measure(program, entry, 0, &BTreeMap::new()).expect("it is bounded");
            assert_eq!((report.steps[0].span, report.longest / 1000), (span, length), "{report}");
        }
    }
}

/// The body of a closure has the lines of the loop in which it stands, once as its own and once as the caller's.
#[test]
fn a_closure_in_a_loop_is_no_loop_in_itself() {
    for program in &*PROGRAMS {
        let report = measure(program, "called_in_the_body", 0, &BTreeMap::new()).expect("it is bounded");
        assert_eq!((report.steps[0].span, report.longest / 1000), (Span::BoundaryToBoundary, 3), "{report}");
    }
}

#[test]
fn paths_into_excluded_functions_do_not_count() {
    for program in &*PROGRAMS {
        let excluding = |function: &str| {
            let request = Request {
                entries: vec!["long_poll".into()],
                excluded: vec![function.to_owned()],
                source_roots: vec![program.folder.clone()],
                ..Request::default()
            };
            longest_step(&program.elf, &request)
        };
        // Without the poll of eight thousand nothing goes round: before, step, after.
        let report = excluding("eight_thousand").expect("it is bounded");
        assert_eq!((report.steps[0].span, report.longest / 1000), (Span::EntryToExit, 1 + 2 + 4), "{report}");
        assert_eq!(excluding("nothing").unwrap_err(), PathError::NoSymbol("nothing".to_owned()));
    }
}

#[test]
fn boundaries_are_reported_by_address() {
    for program in &*PROGRAMS {
        let bounded = |entry| measure(program, entry, 3, &BTreeMap::new()).expect("it is bounded");
        let boundaries = bounded("long_ends").boundaries;
        assert_eq!(boundaries.len(), 1, "{boundaries:x?}");
        assert_eq!(bounded("stored").boundaries, []);
    }
}

#[test]
fn the_path_names_source_lines() {
    let report = measure(&PROGRAMS[0], "stored", 3, &BTreeMap::new()).expect("it is bounded");
    let line = FRAME_LINES
        + SOURCE.lines().position(|line| line.contains("for _ in 0..count { // bound: ROUNDS")).unwrap();
    let path = &report.steps[0].path;
    let round = path.iter().find(|one| one.count == 2 && one.function == "stored").map(|one| one.line);
    assert_eq!(round, u32::try_from(line).ok(), "{report}");
}

/// Lines in front of `SOURCE`, and one because lines count from 1.
const FRAME_LINES: usize = 5;

#[test]
fn a_missing_bound_is_refused_with_its_source_line() {
    for program in &*PROGRAMS {
        let error = measure(program, "unbounded", 0, &BTreeMap::new()).unwrap_err();
        let PathError::NoBound { function, first, last, lines, .. } = &error else { panic!("{error}") };
        assert_eq!(function, "unbounded");
        assert!(first < last && lines.contains("program.rs:"), "{error}");

        // The search inside the loop must not take the bound of the loop.
        for entry in ["hidden", "hidden_in_steps"] {
            let error = measure(program, entry, 3, &BTreeMap::new()).unwrap_err();
            assert!(matches!(&error, PathError::NoBound { function, .. } if function == entry), "{error}");
        }

        let error = measure(program, "unnamed", 0, &BTreeMap::new()).unwrap_err();
        let PathError::Bound { line, reason, .. } = &error else { panic!("{error}") };
        let expected = FRAME_LINES + SOURCE.lines().position(|line| line.contains("UNKNOWN")).unwrap();
        assert_eq!(usize::try_from(*line).unwrap(), expected);
        assert!(reason.contains("--bound UNKNOWN=<number>"), "{error}");
    }
}

#[test]
fn loops_without_source_are_bounded_by_their_symbol() {
    for program in &*PROGRAMS {
        let mut symbols = BTreeMap::new();
        let report = loop {
            match measure(program, "cleared", 0, &symbols) {
                Ok(report) => break report,
                Err(PathError::NoBound { function, or, .. }) => {
                    assert!(or.contains(&format!("--symbol-bound '{function}=<number>'")), "{or}");
                    assert_eq!(
                        symbols.insert(function, 64),
                        None,
                        "a bound that was given is asked for again"
                    );
                }
                Err(error) => panic!("{error}"),
            }
        };
        assert!(!symbols.is_empty() && (64..2000).contains(&report.longest), "{symbols:?} {report}");
    }
}

#[test]
fn sizes_and_forbidden_symbols() {
    let program = &PROGRAMS[0];
    let sizes = section_sizes(&program.elf).expect("the image can be read");
    assert!(sizes.text > 30_000 && sizes.tables == 0, "{sizes:?}");
    assert_eq!((sizes.data, sizes.bss), (4, 256));
    assert_eq!(forbidden_symbols(&program.elf, &["panic"]), Ok(Vec::new()));

    let source = "#[unsafe(link_section = \".tables.a\")] #[used] static A: [u32; 3] = [1, 2, 3];
        #[unsafe(no_mangle)] extern \"C\" fn index(at: usize) -> u32 { A[at] }";
    let panics = compile("panics", "s", &["index"], source);
    let found = forbidden_symbols(&panics.elf, &["panic"]).expect("the image can be read");
    assert!(found.iter().any(|name| name == "core::panicking::panic_bounds_check"), "{found:?}");
    assert_eq!(section_sizes(&panics.elf).map(|sizes| sizes.tables), Ok(12));
    assert!(matches!(section_sizes(b""), Err(PathError::Image(_))));
}
