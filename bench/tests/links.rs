//! Kernels of nodes: no step is longer than it is charged, of each kind, where values come from other kernels and go to them.

mod held;

use beryl_builder::toolchain::root;

#[test]
fn steps_of_a_node_take_no_longer_than_they_are_charged() {
    let formation = root().join("examples/formation");
    let leader = held::node(&formation, "leader");
    assert!(!leader.leaving.is_empty() && leader.arriving.is_empty());
    for follower in ["left", "right"] {
        let follower = held::node(&formation, follower);
        assert!(!follower.leaving.is_empty() && !follower.arriving.is_empty());
    }
}
