//! Kernels of other boards than the one for which the charges were made, that are charged the same: no step is longer than
//! that, of each kind.

mod held;

use beryl_builder::assembly::Assembly;
use beryl_builder::board::{BOARDS, Board, MEASURED};
use beryl_builder::toolchain::root;
use beryl_testing::rotation;

/// The boards whose steps are charged as on [`MEASURED`], though their kernels are others.
fn others() -> Vec<&'static str> {
    let is_charged_the_same = |board: &&Board| board.processor.unmeasured.steps == 1;
    let boards = BOARDS.iter().filter(is_charged_the_same).map(|board| board.name);
    boards.filter(|name| *name != MEASURED).collect()
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
fn what_is_charged_the_same_is_compared_on_these_boards() {
    assert_eq!(others(), ["mps2-an386", "mps2-an505", "stm32f405"]);
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
fn steps_of_kernels_with_budgets_and_restarts_take_no_longer_than_they_are_charged_on_another_board() {
    assert!(on("runaway", &["mps2-an505"]).iter().all(Assembly::has_budgets));
    assert!(on("phoenix", &["mps2-an505"]).iter().all(Assembly::has_restarts));
}
