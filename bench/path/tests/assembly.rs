//! Longest paths through assembly, each counted by hand.

#[path = "../../../kernel/ports/code/tests/program/mod.rs"]
mod program;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use beryl_path::{PathError, Report, Request, longest_step};
use program::{Program, assembly, compile};

/// Name, code, and the longest path in instructions.
const COUNTED: &[(&str, &str, u64)] = &[
    ("straight", "movs r0, #1\n adds r0, #1\n bx lr", 3),
    ("literal", "ldr r0, 1f\n ldr.w r1, 1f\n pop {r4, pc}\n .p2align 2\n1: .word 0xffffffff", 3),
    // The longer branch: cmp, beq, three, bx.
    ("choice", "cmp r0, #0\n beq 1f\n movs r1, #1\n adds r1, #1\n b 2f\n1: nop\n nop\n2: bx lr", 6),
    // A skipped instruction counts as well.
    ("skipped", "cmp r0, #0\n itte eq\n moveq r1, #1\n moveq r2, #1\n movne r3, #1\n bx lr", 6),
    ("early_return", "cmp r0, #0\n it eq\n bxeq lr\n nop\n nop\n bx lr", 6),
    ("early_pop", "cmp r0, #0\n itt ne\n movne r0, #1\n popne {r4, pc}\n nop\n ldr pc, [sp], #4", 6),
    ("branch_in_block", "cmp r0, #0\n it ne\n bne 1f\n bx lr\n1: nop\n nop\n bx lr", 6),
    // cbz, 60 nops, bx; the far offset needs the encoding's sixth bit.
    ("far_cbz", "cbz r0, 1f\n .rept 40\n nop\n .endr\n bx lr\n1: .rept 60\n nop\n .endr\n bx lr", 62),
    ("near_cbnz", "cbnz r0, 1f\n bx lr\n1: nop\n nop\n bx lr", 4),
    ("wide_branches", "cmp r0, #0\n beq.w 1f\n b.w 2f\n1: nop\n nop\n nop\n2: ldmia sp!, {r4, pc}", 6),
    // Jumps back twice: movs, three rounds of three, bx.
    ("rounds", "movs r0, #3\n1: nop\n subs r0, #1\n bne 1b\n bx lr", 11),
    // Each loop jumps back twice: movs, three times (movs, nine, two), bx.
    (
        "nested",
        "movs r0, #3\n1: movs r1, #3\n2: nop\n subs r1, #1\n bne 2b\n subs r0, #1\n bne 1b\n bx lr",
        38,
    ),
    // The comparison excludes the fourth entry. cmp, bhi, tbb, the third case with its branch, bx.
    (
        "switch",
        "cmp r0, #2\n bhi 9f\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2, (4f-1b)/2, (8f-1b)/2
            2: nop\n b 9f\n3: nop\n nop\n b 9f\n4: nop\n nop\n nop\n b 9f\n8: .rept 20\n nop\n .endr\n9: bx lr",
        8,
    ),
    // Without a guard, the table ends before its lowest target: and, tbh, four, bx.
    (
        "exhaustive",
        "and r0, #1\n tbh [pc, r0, lsl #1]\n1: .short (3f-1b)/2, (2f-1b)/2
            2: nop\n b 9f\n3: nop\n nop\n nop\n nop\n9: bx lr",
        7,
    ),
    // The code behind the table could be read as entries: `movs r0, #5` as one that leads to 4. and, tbb,
    // movs, b, bx.
    (
        "unguarded",
        "and r0, #1\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2
            2: movs r0, #5\n b 9f\n3: nop\n b 9f\n4: .rept 20\n nop\n .endr\n9: bx lr",
        5,
    ),
    // The last byte only fills up. and, tbb, two, b, bx.
    (
        "padded",
        "and r0, #3\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2, (2f-1b)/2, 0
            2: nop\n b 9f\n3: nop\n nop\n b 9f\n9: bx lr",
        6,
    ),
    // Two calls of straight (3 each) between push, bl, bl, pop.
    ("calls", "push {r4, lr}\n bl straight\n bl straight\n pop {r4, pc}", 10),
    ("tail_call", "nop\n b.w calls", 12),
    ("conditional_tail_call", "cmp r0, #0\n beq.w calls\n nop\n bx lr", 12),
    (
        "falls_through",
        "nop\n nop\n .size falls_through, . - falls_through
            .global behind\n.type behind,%function\n.thumb_func\nbehind: nop\n bx lr",
        4,
    ),
    ("table_of_functions", "push {r4, lr}\n blx r3\n pop {r4, pc}", 15),
    ("other_register", "mov r3, lr\n bx r3", 2),
    ("waits_for_ever", "cmp r0, #0\n bne 1f\n b .\n1: nop\n bx lr", 4),
    ("traps", "cmp r0, #0\n beq 1f\n bx lr\n1: nop\n nop\n udf.w #0\n", 5),
    // Two and the call, up to the look; the look's two and four; without the boundary nine.
    ("looks_once", "nop\n nop\n bl look\n nop\n nop\n nop\n bx lr", 6),
    // From look to look: its two, subs, bne, nop, bl. How often doesn't matter.
    ("looks_in_rounds", "push {r4, lr}\n movs r4, #9\n1: nop\n bl look\n subs r4, #1\n bne 1b\n pop {r4, pc}", 6),
    // A way round without a look counts as often as the bound says: movs, a thousand and one of two, bx.
    ("forgets_to_look", "movs r4, #9\n1: subs r4, #1\n bne 1b\n bx lr", 1 + 2 * 1001 + 1),
    ("look", "nop\n bx lr", 2),
    ("system_registers", "mrs r0, psp\n msr basepri, r0\n msr control, r0\n cpsid i\n dsb\n isb\n bx lr", 7),
    // Instructions that look are listed: two up to the first, then it, two more, and the way round or out.
    (
        "lists_its_looks",
        "nop\n movs r1, #9\n1: ldr r0, [r1]\n nop\n nop\n cmp r0, #0\n beq 1b\n nop\n nop\n nop\n bx lr\n \
         .pushsection .step_boundaries,\"\",%progbits\n .word 1b\n .popsection",
        9,
    ),
];

/// Name, code, and what the refusal says.
const REFUSED: &[(&str, &str, &[&str])] = &[
    (
        "recursive",
        "push {r4, lr}\n bl helper\n pop {r4, pc}",
        &["recursion: recursive calls helper calls recursive"],
    ),
    ("helper", "push {r4, lr}\n bl recursive\n pop {r4, pc}", &["helper calls recursive calls helper"]),
    (
        "unbounded",
        "1: subs r0, #1\n bne 1b\n bx lr",
        &["unbounded: the loop at 0x", "`// bound: <number or NAME>`", "--symbol-bound 'unbounded=<number>'"],
    ),
    ("indirect", "blx r3\n bx lr", &["indirect: 0x", "blx r3", "--indirect 'indirect=target,..'"]),
    ("computed", "add pc, r0", &["computed: 0x", "through a register"]),
    (
        "two_entries",
        "cbz r0, 2f\n1: nop\n2: nop\n subs r1, #1\n bne 1b\n bx lr",
        &["two_entries: 0x", "into the middle of a loop"],
    ),
    ("astray", "b.w . + 0x100000", &["astray: control reaches 0x", "no executable section"]),
    ("data", "nop\n .short 0xffff, 0xffff", &["data: control reaches 0x", "isn't an instruction"]),
];

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let counted = COUNTED.iter().map(|(name, code, _)| (*name, *code));
    let all: Vec<_> = counted.chain(REFUSED.iter().map(|(name, code, _)| (*name, *code))).collect();
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    compile("assembly", "s", &names, &assembly(&all))
});

fn names(pairs: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
    pairs
        .iter()
        .map(|(name, all)| ((*name).to_owned(), all.iter().map(|one| (*one).to_owned()).collect()))
        .collect()
}

fn measure(entries: &[&str]) -> Result<Report, PathError> {
    let request = Request {
        entries: entries.iter().map(|entry| (*entry).into()).collect(),
        symbol_bounds: BTreeMap::from(
            [
                ("rounds", 2),
                ("nested", 2),
                ("looks_in_rounds", 1000),
                ("lists_its_looks", 1000),
                ("forgets_to_look", 1000),
            ]
            .map(|(name, bound)| (name.to_owned(), bound)),
        ),
        boundaries: vec!["look".to_owned()],
        indirect: names(&[
            ("table_of_functions", &["straight", "tail_call"]),
            ("other_register", &["return"]),
        ]),
        source_roots: vec![PROGRAM.folder.clone()],
        ..Request::default()
    };
    longest_step(&PROGRAM.elf, &request)
}

#[test]
fn longest_paths_equal_the_counts_by_hand() {
    let entries: Vec<_> = COUNTED.iter().map(|(name, ..)| *name).collect();
    let report = measure(&entries).expect("every path is bounded");
    let found: Vec<_> = report.steps.iter().map(|step| (step.entry.as_str(), step.instructions)).collect();
    let expected: Vec<_> = COUNTED.iter().map(|(name, _, count)| (*name, *count)).collect();
    assert_eq!(found, expected);
    assert_eq!(report.longest, 2004);
}

#[test]
fn a_path_adds_up_to_its_length() {
    for (name, ..) in COUNTED {
        let report = measure(&[name]).expect("the path is bounded");
        for step in &report.steps {
            let sum: u64 = step.path.iter().map(|location| location.instructions * location.count).sum();
            assert_eq!(sum, step.instructions, "{step}");
        }
    }
}

#[test]
fn the_path_names_blocks_and_counts() {
    let report = measure(&["nested"]).expect("the path is bounded");
    let blocks: Vec<_> =
        report.steps[0].path.iter().map(|one| (one.function.as_str(), one.instructions, one.count)).collect();
    let inner = |count| ("nested", 3, count);
    assert_eq!(
        blocks,
        [
            ("nested", 1, 1),
            ("nested", 1, 2),
            inner(4),
            inner(2),
            ("nested", 2, 2),
            ("nested", 1, 1),
            inner(2),
            inner(1),
            ("nested", 2, 1),
            ("nested", 1, 1)
        ]
    );
}

#[test]
fn what_cannot_be_bounded_is_refused_with_place_and_proposal() {
    for (name, _, parts) in REFUSED {
        let error = measure(&[name]).expect_err(name).to_string();
        for part in *parts {
            assert!(error.contains(part), "{name}: `{part}` is missing in: {error}");
        }
    }
}

#[test]
fn damaged_images_are_refused() {
    assert!(matches!(measure(&["absent"]), Err(PathError::NoSymbol(name)) if name == "absent"));
    let request = Request { entries: vec!["straight".into()], ..Request::default() };
    for length in (0..PROGRAM.elf.len()).step_by(97) {
        // A cut image may still hold all that is needed; it must only not bring the tool down.
        let _ = longest_step(&PROGRAM.elf[..length], &request);
    }
    assert!(matches!(longest_step(b"no image", &request), Err(PathError::Image(_))));
}
