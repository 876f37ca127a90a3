//! Kernels of other boards than the one for which the charges were made: no step is longer than it is charged there, of each kind.

mod held;

use beryl_builder::assembly::Assembly;
use beryl_builder::board::{BOARDS, Board, MEASURED};
use beryl_builder::toolchain::root;
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
    assert_eq!(others(), ["mps2-an386", "mps2-an505", "stm32f405", VIRT]);
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
