//! What the disassembler writes, the assembler reads: the same program, the same bytes.

mod random;

use beryl_assembler::{Program, assemble, disassemble};
use beryl_testing::{Draw, XorShiftStar as Random};
use random::program;

#[test]
fn what_is_disassembled_assembles_to_the_same_bytes() {
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let original = program(&mut random);
        let text = disassemble(&original);
        let again = assemble(&text).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:#?}\n{text}"));
        assert_eq!(again, original, "seed {seed}\n{text}");
        assert_eq!(again.to_bytes(), original.to_bytes(), "seed {seed}");
        let read = Program::from_bytes(&original.to_bytes());
        assert_eq!(read.as_ref(), Ok(&original), "seed {seed}");
    }
}

#[test]
fn any_words_come_back() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let code: Vec<_> = (0..50).map(|_| random.next() as u32).collect();
        let original = Program { code, trigger_places: 1, ..Program::default() };
        let text = disassemble(&original);
        assert_eq!(assemble(&text).as_ref(), Ok(&original), "seed {seed}\n{text}");
    }
}

#[test]
fn a_program_reads_as_it_was_written() {
    let source = "module flight
task t1, t2
driver da, \"gps to t2\"
port height
durations 10, 20, 5
conditions clock(10), release(t2), height >= -3
triggers 2
threads 1
start a1
handle safety, a9
complete t2, a7
certificate 90, 40, 0

        jump     a4
a1:     calls    da, 2
        release  t1, 20
        releases t1, 10, 2
a4:     phase    switches
        future   10, a1
        when     height >= -3, a1
a7:     dispatch t1
        dispatch t2, release(t2), a9
a9:     idle     clock(10)
        fork     a7
        return
";
    let program = assemble(source).expect("it is right");
    assert_eq!(disassemble(&program), source);
}

#[test]
fn a_text_says_how_long_its_ticks_are() {
    let said = |text: &str| beryl_assembler::tick(text);
    assert_eq!(said("module flight\ntick 1us\na0: return\n"), Some(1_000));
    assert_eq!(said("a0: tick 40ns ; after a label\n"), Some(40));
    assert_eq!(said("module flight\na0: return\n"), None);
    assert_eq!(said("tick much\n"), None);
}
