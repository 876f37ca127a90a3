//! The program alone, somewhere else, without the checkout that it was built from: a project is made, and it checks,
//! simulates, runs on the board and tests, with the crates that the program carries.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use beryl_builder::image::loads;
use common::{Ran, change, finish, root};

mod common;

/// A user's folder on a machine.
struct Place {
    folder: PathBuf,
    program: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("beryl-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Place { folder, program: PathBuf::from(env!("CARGO_BIN_EXE_beryl")) }
    }

    /// One with the program, and no checkout.
    fn alone(name: &str) -> Place {
        let mut place = Place::new(name);
        let program = place.folder.join("beryl");
        // By another program: a file that this one has open for writing can't be run by what its other tests start meanwhile.
        finish(Command::new("cp").arg(&place.program).arg(&program)).ended(0);
        place.program = program;
        place
    }

    fn beryl(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.folder).env("BERYL_HOME", self.folder.join("home"));
        // What a user sets for other crates doesn't reach the kernel.
        command.env("CARGO_PROFILE_KERNEL_OPT_LEVEL", "0");
        finish(command.env_remove("BERYL_ROOT"))
    }

    /// Plain `cargo test` in a project.
    fn cargo_test(&self, project: &str) -> Ran {
        let mut command = Command::new("cargo");
        command.arg("test").current_dir(self.folder.join(project)).env_remove("CARGO_TARGET_DIR");
        finish(&mut command)
    }

    /// What the kernel of a system has in flash.
    fn kernel(&self, system: &str) -> Vec<(u32, Vec<u8>)> {
        loads(&fs::read(self.folder.join(format!("build/{system}/kernel.elf"))).expect("a kernel"))
            .expect("its bytes")
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).expect(path)
    }
}

/// Some hundred megabytes.
impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_project_of_each_kind_checks_and_one_does_all_that_there_is_to_do() {
    let machine = Place::alone("newcomer");
    for (name, others) in [
        ("lamp", &[][..]),
        ("tank", &["--template", "controller"]),
        ("shop", &["--template", "server"]),
        ("lamp_in_c", &["--lang", "c"]),
        ("shop_in_c", &["--lang", "c", "--template", "server"]),
        ("tank_in_c", &["--lang", "c", "--template", "controller"]),
        ("port", &["--template", "cmsis"]),
    ] {
        let said = machine.beryl(&[&["new", name], others].concat()).ended(0);
        assert!(said.starts_with(&format!("{name}: README.md, .gitignore, ci.sh, beryl.toml")), "{said}");
        let said = machine.beryl(&["check", name]).ended(0);
        assert!(said.contains("  time-safe: every job completes "), "{said}");
    }
    let said = machine.beryl(&["run", "lamp", "--for", "2s"]).ended(0);
    let last = "lamp: 4 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    for (system, writes) in [("lamp_in_c", 4), ("shop_in_c", 0), ("tank_in_c", 40), ("port", 4)] {
        let said = machine.beryl(&["run", system, "--for", "2s"]).ended(0);
        let last =
            format!("{system}: {writes} actuator writes, identical on sim and mps2-an385; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
        for rust in ["Cargo.toml", "app", ".cargo"] {
            assert!(!machine.folder.join(system).join(rust).exists(), "no line of Rust: {rust}");
        }
        let said = machine.beryl(&["test", system]).ended(0);
        assert!(said.contains("all of its functions are in C"), "{said}");
        assert!(!machine.text(&format!("{system}/ci.sh")).contains("beryl test"));
    }
    let said = machine.beryl(&["sim", "tank"]).ended(0);
    assert!(said.contains("the level is ") && said.contains("tank: 0 deadline misses"), "{said}");
    for tank in ["tank", "tank_in_c"] {
        let said = machine.beryl(&["run", tank, "--for", "1s", "--live"]).ended(0);
        let last = format!("{tank}: 20 actuator writes, identical on sim and mps2-an385; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    }
    let said = machine.beryl(&["sim", "shop", "--for", "1s"]).ended(0);
    assert!(said.ends_with("shop: 0 deadline misses\n"), "{said}");
    let said = machine.beryl(&["test", "shop"]).ended(0);
    assert!(said.contains("test tests::what_is_not_there_is_nothing ... ok"), "{said}");
    assert!(said.contains("test tests::what_is_set_is_shown ... ok"), "{said}");
    // Without any program of Beryl's, and for all crates at once.
    let said = machine.cargo_test("tank").ended(0);
    assert!(said.contains("test the_pump_slows_down_as_the_level_rises ... ok"), "{said}");
    assert!(!machine.folder.join("target").exists(), "what compilers leave is shared by all projects");
    assert!(machine.folder.join("home/products").is_dir());
    // Costs are counted for one kernel, so each user's is the checkout's to the bit.
    let checkout = Place::new("checkout");
    checkout.beryl(&["new", "lamp"]).ended(0);
    checkout.beryl(&["build", "lamp"]).ended(0);
    assert_eq!(machine.kernel("lamp"), checkout.kernel("lamp"));
    for generated in ["build/lamp/image/Cargo.toml", "build/tank/simulation/Cargo.toml"] {
        let text = machine.text(generated);
        assert!(!text.contains(&root().display().to_string()), "nothing is taken from the checkout: {text}");
    }
}

#[test]
fn the_tests_of_a_project_fail_where_one_does() {
    let place = Place::alone("failing");
    place.beryl(&["new", "lamp"]).ended(0);
    change(&place.folder.join("lamp/app/src/lib.rs"), "[1, 0, 1, 0]", "[0, 1, 0, 1]");
    let ran = place.beryl(&["test", "lamp"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.everything().contains("it_goes_on_and_off ... FAILED"), "{ran:?}");
}

#[test]
fn what_is_there_stays_and_names_that_crates_can_not_have_are_refused() {
    let place = Place::new("names");
    fs::create_dir(place.folder.join("there")).expect("a folder");
    let said = place.beryl(&["new", "there"]).ended(1);
    assert_eq!(said, "");
    assert_eq!(fs::read_dir(place.folder.join("there")).expect("a folder").count(), 0);
    for (name, proposal) in [("My-Lamp", "beryl new my_lamp"), ("2lamps", "beryl new my_2lamps")] {
        let ran = place.beryl(&["new", name]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.everything().contains(proposal), "{ran:?}");
        assert!(!place.folder.join(name).exists());
        // What is proposed helps.
        place.beryl(&proposal.split(' ').skip(1).collect::<Vec<_>>()).ended(0);
    }
    let said = place.beryl(&["--json", "new", "deep/down"]).ended(0);
    let made: serde_json::Value = serde_json::from_str(said.trim()).expect("an object");
    assert_eq!(made["name"], "down");
    for file in made["files"].as_array().expect("a list") {
        assert!(place.folder.join("deep/down").join(file.as_str().expect("a path")).is_file());
    }
}

#[test]
fn the_doctor_says_what_is_lacking_and_how_to_get_it() {
    let place = Place::new("doctor");
    let well = place.beryl(&["doctor"]).ended(0);
    assert!(well.contains("  has   cargo") && well.contains("  has   target compiler"), "{well}");
    // A machine without anything.
    let mut command = Command::new(env!("CARGO_BIN_EXE_beryl"));
    let nothing = finish(
        command
            .arg("doctor")
            .env("PATH", "/nowhere")
            .env("CARGO_HOME", "/nowhere")
            .env("HOME", "/nowhere")
            .env("BERYL_COMPILER", "rustup"),
    );
    assert_eq!(nothing.code, Some(3), "{nothing:?}");
    let said = nothing.everything();
    for remedy in ["`rustup target add thumbv7m-none-eabi`", "`apt-get install qemu-system-arm`"] {
        assert!(said.contains(remedy), "{said}");
    }
}

#[test]
fn shells_and_man_are_told_all_commands() {
    let place = Place::new("shells");
    let help = place.beryl(&["--help"]).ended(0);
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "fish", "zsh"] {
        let said = place.beryl(&["completions", shell]).ended(0);
        assert!(commands.iter().all(|command| said.contains(command)), "{shell}");
    }
    let page = place.beryl(&["man"]).ended(0);
    assert!(page.starts_with(".ie") || page.contains(".TH beryl 1"), "{page}");
    let page = place.beryl(&["man", "sim"]).ended(0);
    assert!(page.contains("beryl sim"), "{page}");
    assert!(place.beryl(&["man", "simm"]).everything().contains("`simm` is no command"));
}

/// What a program prints is read line by line, so nobody waits longer than it takes.
#[test]
fn a_command_that_watches_is_carried_out_again_after_a_change() {
    let place = Place::new("watching");
    place.beryl(&["new", "lamp"]).ended(0);
    let mut command = Command::new(&place.program);
    let mut watching = command
        .args(["check", "lamp", "--watch"])
        .current_dir(&place.folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(watching.stderr.take().expect("its words")).lines();
    let mut until = |words: &str| said.any(|line| line.expect("text").contains(words));
    assert!(until("exit code 0; waiting for a change"));
    change(&place.folder.join("lamp/lamp.tdl"), "blink.next", "blink.nxt");
    assert!(until("did you mean `next`?"));
    assert!(until("exit code 1; waiting for a change"));
    change(&place.folder.join("lamp/lamp.tdl"), "blink.nxt", "blink.next");
    assert!(until("exit code 0; waiting for a change"));
    watching.kill().expect("it ends");
    watching.wait().expect("it ended");
}
