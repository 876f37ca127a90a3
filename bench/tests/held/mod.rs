//! Kernels with a part that few systems have: no step is longer than it is charged, of each kind.

use std::path::Path;

use beryl_bench::step::Kernel;
use beryl_builder::assembly::Assembly;
use beryl_builder::board::Board;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Nodes, Project, Variant};

/// What isn't in a step while nobody listens: see `step::NEVER`.
const NEVER: [&str; 4] = [">::tell", "::check_slot", "::handler_for", "board::Recorder>::finish"];

/// Builds a system's kernel: each kind of step takes no longer than it is charged. Answers the system.
#[allow(dead_code, reason = "some tests are about other boards only")]
pub fn all(folder: &Path) -> Assembly {
    on(folder, None)
}

/// The same on a board, if not on the one that it is described for.
#[allow(dead_code, reason = "some tests are about nodes only")]
pub fn on(folder: &Path, board: Option<&'static Board>) -> Assembly {
    let place = format!("target/e2e/held{}", board.map_or(String::new(), |board| format!("/{}", board.name)));
    held(folder, &place, Variant { board, ..Variant::default() })
}

/// The same of a node of a system that has several.
#[allow(dead_code, reason = "some tests are about systems without nodes only")]
pub fn node(folder: &Path, node: &'static str) -> Assembly {
    held(folder, "target/e2e/held", Variant { node: Some(node), ..Variant::default() })
}

/// The same of all cores of a system on a board.
#[allow(dead_code, reason = "some tests are about one kernel only")]
pub fn cores(folder: &Path, board: &'static Board) -> Vec<Assembly> {
    let variant = Variant { board: Some(board), ..Variant::default() };
    let nodes = Nodes::load(folder, variant).unwrap_or_else(|error| panic!("{error:?}"));
    let parts = nodes.expect("a system of cores").on_boards();
    let place = format!("target/e2e/held/{}", board.name);
    parts.into_iter().map(|part| holds(part.project, &place)).collect()
}

fn held(folder: &Path, place: &str, variant: Variant) -> Assembly {
    holds(Project::load(folder, variant).unwrap_or_else(|error| panic!("{error:?}")), place)
}

fn holds(project: Project, place: &str) -> Assembly {
    let kernel =
        Kernel::of(project, &Workshop::new(&root().join(place))).unwrap_or_else(|error| panic!("{error:?}"));
    for bound in kernel.bounds_of_kinds(&NEVER).unwrap_or_else(|error| panic!("{error:?}")) {
        let charged = bound.kind.charged(&kernel.project.assembly, kernel.project.plan.board.processor);
        println!("{:24} {:28} {:5} of {charged:5}", bound.kind.name(), bound.of, bound.instructions);
    }
    kernel.hold_kinds(&NEVER).unwrap_or_else(|error| panic!("{error:?}"));
    Assembly::clone(&kernel.project.assembly)
}
