//! What `beryl check` says of a system with every kind of object.

use std::fs;

use common::{assert_recorded, beryl, empty_crates, folder, root};

mod common;

const TIMING: &str = "module Engine {
  task control { output int spark := 0; uses control_impl(spark); }
  start mode only [period = 5ms] { task [freq = 1] control(); }
}";

#[test]
fn check_says_what_is_shared_and_what_is_not_proved() {
    let system = folder().join("objects");
    fs::create_dir_all(&system).expect("a folder");
    let description = root().join("builder/tests/description/right/objects.toml");
    fs::copy(description, system.join("beryl.toml")).expect("a description");
    fs::write(system.join("objects.tdl"), TIMING).expect("a timing program");
    empty_crates(&system);
    let said = beryl(&["check", &system.display().to_string()]);
    assert_recorded("objects/check.txt", &said.everything());
}
