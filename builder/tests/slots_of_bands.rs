//! Slots of dynamic bands are in the order of threads: the kernel tells equal deadlines apart by the latter.

use std::path::Path;

use beryl_builder::assembly::Policy;
use beryl_builder::{Project, Variant};

#[test]
fn slots_of_a_band_are_in_the_order_of_its_threads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut dynamic = 0;
    for system in
        ["examples/helicopter", "examples/engine", "examples/sampler", "examples/limp", "bench/drained"]
    {
        let project = Project::load(&root.join(system), Variant::default()).expect("it is right");
        let assembly = &project.assembly;
        for (band, row) in assembly.bands.iter().enumerate() {
            let Policy::Dynamic { .. } = row.policy else { continue };
            let threads =
                assembly.threads.iter().filter(|thread| thread.band == band && thread.role.is_applications());
            let slots: Vec<_> = threads.map(|thread| thread.place).collect();
            assert!(slots.is_sorted_by(|one, next| one < next), "{system}, band {}: {slots:?}", row.name);
            dynamic += usize::from(slots.len() > 1);
        }
    }
    assert!(dynamic > 0, "some system has several threads in a dynamic band");
}
