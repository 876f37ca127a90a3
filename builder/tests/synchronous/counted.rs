//! What the proof counts for inputs that are fed: a copy for each link with every job of its writer, and the completion that
//! makes it.

use beryl_analysis::Ticks;
use beryl_builder::proof;

use crate::common::{parsed, try_project};
use crate::refused::{DESCRIPTION, TIMING};

#[test]
fn a_copy_for_each_link_is_counted_with_the_jobs_of_its_writer() {
    let project = try_project(TIMING, parsed(DESCRIPTION)).expect("nothing is wrong");
    let rows = proof::system(&project).interference;
    let period = |name: &str| {
        let found: Vec<_> = rows.iter().filter(|row| row.name == name).map(|row| row.period).collect();
        assert!(found.len() <= 1, "{name} is counted twice");
        found.first().copied()
    };
    let unit = 1_000_000 / u64::from(project.tick());
    let every = |milliseconds: u64| Some(Ticks::new(milliseconds * unit));
    assert_eq!(period("a.x fed to b"), every(5));
    assert_eq!(period("a.x to b"), every(10));
    assert_eq!(period("completions of a"), every(5));
    assert_eq!(period("b.x fed to c"), every(10));
    assert_eq!(period("b.x to c"), every(20));
    assert_eq!(period("completions of b"), every(10));
    assert_eq!(period("completions of c"), None, "nobody reads it");
}
