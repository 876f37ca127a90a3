//! Kernels of other boards than the one for which the charges were made: no step is longer than it is charged there, of each kind.

mod held;

use beryl_abi::Instant;
use beryl_bench::events::Event;
use beryl_bench::observed::Begin;
use beryl_bench::step::Kernel;
use beryl_builder::assembly::Assembly;
use beryl_builder::board::{BOARDS, Board, MEASURED};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use beryl_testing::rotation;

/// The boards whose kernels are others than that of [`MEASURED`].
fn others() -> Vec<&'static str> {
    BOARDS.iter().map(|board| board.name).filter(|name| *name != MEASURED).collect()
}

fn on(system: &str, boards: &[&str]) -> Vec<Assembly> {
    let held = rotation(system, boards).into_iter().map(|name| {
        let board = Board::named(name);
        assert!(board.is_some(), "{name}");
        held::on(&root().join("examples").join(system), board)
    });
    held.collect()
}

#[test]
fn all_other_boards_are_compared() {
    assert_eq!(others(), ["mps2-an386", "mps2-an505", "mps2-an521", "stm32f405", VIRT]);
}

/// The board whose steps are charged by other numbers, so more of its systems are compared: with objects, partitions, a supervisor, gates
/// and limits.
const VIRT: &str = "virt";

#[test]
fn steps_of_kernels_with_objects_take_no_longer_than_they_are_charged_on_virt() {
    assert!(on("engine", &[VIRT]).iter().all(|system| system.objects.count() > 0));
    assert!(on("warden", &[VIRT]).iter().all(Assembly::is_supervised));
}

#[test]
fn steps_of_kernels_with_gates_limits_and_watchdogs_take_no_longer_than_they_are_charged_on_virt() {
    assert!(on("storm", &[VIRT]).iter().all(Assembly::has_gates));
    assert!(on("babble", &[VIRT]).iter().all(Assembly::has_limits));
    assert!(on("watchdog", &[VIRT]).iter().all(Assembly::has_watchdogs));
}

#[test]
fn steps_of_tasks_take_no_longer_than_they_are_charged_on_other_boards() {
    assert!(!on("helicopter", &others()).is_empty() && !on("lift", &others()).is_empty());
}

#[test]
fn steps_of_a_kernel_that_writes_faults_down_take_no_longer_than_they_are_charged_on_other_boards() {
    assert!(on("stray", &others()).iter().all(|system| system.crashes > 0));
}

#[test]
fn steps_of_kernels_with_budgets_and_restarts_take_no_longer_than_they_are_charged_on_two_boards() {
    for board in ["mps2-an505", VIRT] {
        assert!(on("runaway", &[board]).iter().all(Assembly::has_budgets));
        assert!(on("phoenix", &[board]).iter().all(Assembly::has_restarts));
    }
}

#[test]
fn steps_of_a_kernel_in_which_a_process_can_be_replaced_take_no_longer_than_they_are_charged_on_other_boards()
{
    assert!(on("graft", &others()).iter().all(Assembly::has_replaceable));
}

/// What begins steps in five periods of the helicopter, without rounds. All is as long as its bound at most.
fn begins(board: &str) -> Vec<Begin> {
    let variant = Variant { board: Board::named(board), ..Variant::default() };
    let project = Project::load(&root().join("examples/helicopter"), variant);
    let project = project.unwrap_or_else(|error| panic!("{error:?}"));
    let end = Instant::from_ticks(100_000_000 / project.plan.board.tick.get());
    let workshop = Workshop::new(&root().join("target/e2e/held").join(board));
    let kernel = Kernel::of(project, &workshop).expect("an image");
    let bounds = kernel.bounds().expect("bounds");
    let seen = kernel.steps(&workshop, &bounds, end).expect("a run");
    for step in &seen {
        let bound = Event::bound(&bounds, step.begin, &kernel.project);
        assert!(step.instructions <= bound, "{board}: {step:?}, its bound is {bound}");
    }
    assert!(seen.iter().any(|step| step.begin == Begin::Look), "{board}: there is no round");
    seen.into_iter().map(|step| step.begin).filter(|begin| *begin != Begin::Look).collect()
}

#[test]
fn a_run_is_entered_by_the_same_on_all_processors_and_no_step_is_longer_than_its_bound() {
    let here = begins(MEASURED);
    println!("{here:?}");
    let [first, others @ ..] = here.as_slice() else { panic!("nothing happened") };
    assert_eq!(*first, Begin::Other, "the start");
    assert!(others.contains(&Begin::Alarm) && !others.contains(&Begin::Other), "{here:?}");
    for board in ["mps2-an505", VIRT] {
        assert_eq!(begins(board), here, "{board}");
    }
}
