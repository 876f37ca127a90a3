//! Whatever comes: an answer, no panic.

mod random;

use beryl_assembler::{Program, assemble, disassemble};
use beryl_testing::{Draw, XorShiftStar as Random};
use random::program;

const PIECES: [&str; 41] = [
    "module",
    "tick",
    "task",
    "driver",
    "port",
    "durations",
    "conditions",
    "triggers",
    "threads",
    "start",
    "handle",
    "complete",
    "certificate",
    "word",
    "call",
    "release",
    "future",
    "dispatch",
    "idle",
    "fork",
    "return",
    "t1",
    "t2",
    "a0",
    ":",
    ",",
    "(",
    ")",
    "@",
    "#",
    "<=",
    "\"",
    "\\u{",
    "10ms",
    "0x",
    "-",
    "9999999999999999999",
    "\n",
    "\n",
    ";",
    "é",
];

#[test]
fn random_texts_are_answered_with_places_inside_of_them() {
    let mut right = 0;
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(30))
            .flat_map(|_| [*random.one_of(&PIECES), *random.one_of(&["", " "])])
            .collect();
        match assemble(&text) {
            Ok(program) => {
                right += 1;
                assert_eq!(assemble(&disassemble(&program)).as_ref(), Ok(&program), "seed {seed}: {text:?}");
            }
            Err(diagnostics) => {
                for wrong in diagnostics {
                    let line = text.lines().nth(wrong.line - 1).unwrap_or_default();
                    let columns = line.chars().count() + 1;
                    assert!((1..=columns).contains(&wrong.column), "seed {seed}: {wrong} in {text:?}");
                    assert!(!wrong.reason.is_empty() && !wrong.proposal.is_empty(), "seed {seed}: {wrong}");
                }
            }
        }
    }
    assert!(right > 100, "only {right} texts were right");
}

#[test]
fn damaged_programs_are_answered() {
    for seed in 0..5_000 {
        let mut random = Random::new(seed);
        let mut text: Vec<char> = disassemble(&program(&mut random)).chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text[at] = *random.one_of(&[' ', '#', '"', '\\', '\n', '0', 'z', ',', 'é']),
                _ => text.swap(at, 0),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = assemble(&text);
    }
}

#[test]
fn random_bytes_are_answered() {
    for seed in 0..5_000 {
        let mut random = Random::new(seed);
        let mut bytes: Vec<_> = (0..random.below(80)).map(|_| random.next() as u8).collect();
        let _ = assemble(&String::from_utf8_lossy(&bytes));
        let _ = Program::from_bytes(&bytes);
        for magic in [b"BSC2", b"BSC3"] {
            bytes.splice(0..bytes.len().min(4), *magic);
            let _ = Program::from_bytes(&bytes);
        }
    }
}
