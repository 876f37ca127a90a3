//! Kernels of cores that tell each other values, or ring doorbells and hear them: no step is longer than it is charged, of each kind, on
//! each board with several cores, and the proof of a core counts that a bell is found twice.

mod held;

use beryl_builder::board::BOARDS;
use beryl_builder::load;
use beryl_builder::proof::Kind;
use beryl_builder::toolchain::root;
use beryl_builder::{Nodes, Variant};

#[test]
fn steps_of_cores_that_ring_and_hear_take_no_longer_than_they_are_charged() {
    for board in BOARDS.iter().filter(|board| !board.cores.is_empty()) {
        println!("{}", board.name);
        let cores = held::cores(&root().join("bench/cores"), board);
        let [rings, hears] = cores.as_slice() else { panic!("{} cores", cores.len()) };
        assert!(rings.objects.notifications.iter().any(|row| row.is_bell));
        assert!(hears.objects.interrupts.iter().all(|row| row.is_bell));
    }
}

#[test]
fn steps_of_cores_that_tell_each_other_values_take_no_longer_than_they_are_charged() {
    for board in BOARDS.iter().filter(|board| !board.cores.is_empty()) {
        println!("{}", board.name);
        let cores = held::cores(&root().join("bench/cores/values"), board);
        assert!(cores.iter().all(|core| core.is_linked() && core.objects.interrupts.is_empty()));
    }
}

/// Each bell that is heard may be found once more in each separation, which turns of three other cores make three microseconds shorter;
/// who rings has no such row.
#[test]
fn the_proof_of_a_core_counts_a_second_trap_for_each_bell_that_it_hears() {
    let nodes = Nodes::load(&root().join("bench/cores"), Variant::default());
    let nodes = nodes.unwrap_or_else(|error| panic!("{error:?}")).expect("cores");
    let rows = nodes.parts.iter().map(|part| {
        let costed = &part.project;
        let rows = load::system(costed).interference.into_iter();
        let second = rows.filter(|row| row.name.starts_with("second trap of "));
        second.map(|row| (row.name, row.period.get(), row.worst.get())).collect::<Vec<_>>()
    });
    let rows: Vec<_> = rows.collect();
    let hears = &nodes.parts[1].project;
    let step = Kind::Job.charged(&hears.assembly, hears.plan.board.processor);
    let ticks = (step << hears.description.board.speed).div_ceil(100);
    let row = |name: &str| (format!("second trap of {name}"), 10_000 - 30, ticks);
    assert_eq!(rows, [vec![], vec![row("first"), row("second")]]);
}
