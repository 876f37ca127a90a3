//! Kernels with links between tasks: no step is longer than it is charged, of each kind; and what it takes to fetch an input and
//! to feed it.

mod held;

use beryl_abi::Instant;
use beryl_bench::observed::executed;
use beryl_bench::step::Kernel;
use beryl_builder::board::Board;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use object::{Object, ObjectSymbol};

#[test]
fn steps_of_a_kernel_that_feeds_inputs_take_no_longer_than_they_are_charged() {
    let relay = root().join("examples/relay");
    for board in ["mps2-an385", "virt"] {
        assert!(held::on(&relay, Board::named(board)).links() > 0);
    }
}

/// Of the example, in the function that does both; what it calls for a copy of more than a word isn't in it.
#[test]
fn fetching_and_feeding_take_what_is_written() {
    let project = Project::load(&root().join("examples/relay"), Variant::default()).expect("a system");
    let workshop = Workshop::new(&root().join("target/e2e/held"));
    let kernel = Kernel::of(project, &workshop).expect("a kernel");
    let file = object::File::parse(kernel.elf.as_slice()).expect("a file");
    let begins = |symbol: &object::Symbol<'_, '_>| symbol.name().is_ok_and(|name| name.contains("begin_fed"));
    let function = file.symbols().find(begins).expect("the kernel fetches and feeds");
    let start = u32::try_from(function.address() & !1).expect("an address");
    let code = start..start + u32::try_from(function.size()).expect("a size");
    let end = Instant::from_ticks(30 * 25_000);
    let all = executed(&kernel.project, &kernel.built, &workshop, code, end).expect("a run");
    let steps: Vec<usize> =
        all.split(|address| *address == start).skip(1).map(|rest| rest.len() + 1).collect();
    // At 0 ms three inputs wait, and are fed when `filter` and `estimate` are done. At 5 ms nobody waits for `filter`.
    let expected = [[WAITS; 3], [FEEDS; 3]].concat();
    assert_eq!(steps[..6], expected, "as docs/measurements/buffers.md says: {steps:?}");
    assert_eq!(steps[6], NOBODY, "as docs/measurements/buffers.md says");
}

/// Instructions of a fetch whose input has to wait, of a feed that makes a copy of a word, and of one for which nobody waits.
const WAITS: usize = 47;
const FEEDS: usize = 63;
const NOBODY: usize = 51;
