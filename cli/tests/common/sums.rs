//! Four modules that tell each other sums, on cores of a board: what they write tells when each value came.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{left_text, on_board};

/// Each module adds what it has heard of the one before, some more often than others, so that what they write tells when each value
/// came.
const TIMING: &str = "
module First {
  const none = 1;
  actuator int told := 0 uses set_first;
  public task add { input int heard; state int n := 0; output int sum := 1; uses add_impl(heard, n, sum); }
  start mode m [period = 8ms] { task [freq = 2] add(none); actuator [freq = 2] told := add.sum; }
}
module Second {
  import First;
  actuator int told := 0 uses set_second;
  public task add { input int heard; state int n := 0; output int sum := 2; uses add_impl(heard, n, sum); }
  start mode m [period = 8ms] { task [freq = 1] add(First.add.sum); actuator [freq = 1] told := add.sum; }
}
module Third {
  import Second;
  actuator int told := 0 uses set_third;
  public task add { input int heard; state int n := 0; output int sum := 3; uses add_impl(heard, n, sum); }
  start mode m [period = 8ms] { task [freq = 4] add(Second.add.sum); actuator [freq = 4] told := add.sum; }
}
module Fourth {
  import Third;
  import First;
  actuator int told := 0 uses set_fourth;
  actuator int first := 0 uses set_first_again;
  public task add { input int heard; state int n := 0; output int sum := 4; uses add_impl(heard, n, sum); }
  start mode m [period = 8ms] {
    task [freq = 2] add(Third.add.sum);
    actuator [freq = 2] told := add.sum;
    actuator [freq = 4] first := First.add.sum;
  }
}
";

pub const CODE: &str = "
#![no_std]
use beryl_user::environment::{self, Channel};
pub fn add_impl(heard: &i32, n: &mut i32, sum: &mut i32) { *n += 1; *sum = heard.wrapping_mul(3).wrapping_add(*n); }
pub fn set_first(value: &i32) { environment::write(Channel::new(0), value); }
pub fn set_second(value: &i32) { environment::write(Channel::new(1), value); }
pub fn set_third(value: &i32) { environment::write(Channel::new(2), value); }
pub fn set_fourth(value: &i32) { environment::write(Channel::new(3), value); }
pub fn set_first_again(value: &i32) { environment::write(Channel::new(4), value); }
";

pub const CORES: [&str; 4] = ["none", "one", "two", "three"];

/// The four modules, each on the core of this number.
pub fn system(name: &str, cores: [usize; 4]) -> PathBuf {
    let used: BTreeSet<usize> = cores.into_iter().collect();
    let has_several = used.len() > 1;
    let rows = used.iter().filter(|_| has_several).map(|core| format!("\n[core.{}]\n", CORES[*core]));
    let places =
        cores.map(|core| if has_several { format!("core = \"{}\"\n", CORES[core]) } else { String::new() });
    placed(name, &rows.collect::<String>(), &places)
}

/// The four modules on what these rows describe, each where its line says.
pub fn placed(name: &str, rows: &str, places: &[String; 4]) -> PathBuf {
    let mut text = "[system]\nname = \"NAME\"\ntiming = [\"sums.tdl\"]\napplication = \"app\"\n\n[board]\nname = \"virt\"\n\
                    flash = \"64k\"\nram = \"32k\"\nspeed = 4\n\n[[band]]\nname = \"sums\"\npolicy = \"dynamic\"\n"
        .to_owned();
    text += rows;
    for (module, place) in ["First", "Second", "Third", "Fourth"].into_iter().zip(places) {
        let process = module.to_lowercase();
        text += &format!(
            "\n[process.{process}]\n{place}memory = \"64\"\ndevices = [\"environment\"]\ndriver_stack = \"512\"\n\
             \n[task.\"{module}.add\"]\nprocess = \"{process}\"\nworst = \"0.2ms\"\nstack = \"512\"\n\
             \n[driver.set_{process}]\nprocess = \"{process}\"\nworst = \"30us\"\n"
        );
    }
    text += "\n[driver.set_first_again]\nprocess = \"fourth\"\nworst = \"30us\"\n";
    on_board(name, "", CODE, &text, &[("sums.tdl", TIMING)])
}

/// Instant, actuator and bytes of all writes of a machine's last run, in the order of the instants.
pub fn written(names: &[String], file: &str) -> Vec<(u64, String, String)> {
    let mut writes = Vec::new();
    for name in names {
        let recording = left_text(name, file);
        let (_, actuators) = recording.split_once("[actuators]\n").expect("actuators");
        for line in actuators.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
            let fields: Vec<_> = line.split(',').collect();
            let instant = fields[0].parse().expect("an instant");
            writes.push((instant, fields[1].to_owned(), fields[2].to_owned()));
        }
    }
    writes.sort();
    writes
}

pub fn parts(name: &str, cores: &[&str]) -> Vec<String> {
    cores.iter().map(|core| format!("{name}_{core}")).collect()
}
