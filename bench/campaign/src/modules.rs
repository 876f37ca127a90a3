//! Modules of drawn systems: tasks in modes, with sensors, actuators, guards and switches.

use beryl_testing::{Draw, SplitMix64 as Random, divisor};

use std::fmt::Write as _;

/// A module's text, and its part of the description.
pub struct Drawn {
    /// The text.
    pub text: String,
    /// Its tasks, each with the shortest time between two releases, in tenths of a millisecond.
    pub tasks: Vec<(String, u64)>,
    /// Its native drivers.
    pub drivers: Vec<String>,
}

/// Draws the module with this number.
pub fn draw(random: &mut Random, number: u64) -> Drawn {
    let mut text = format!("module M{number} {{\n");
    let mut drivers = Vec::new();
    let has_sensor = random.chance(70);
    if has_sensor {
        let _ = writeln!(
            text,
            "  sensor int s{number} uses get{number};\n  actuator int a{number} := 0 uses set{number};"
        );
        drivers.extend([format!("get{number}"), format!("set{number}")]);
    }
    let count = random.within(1, 3);
    let mut tasks = Vec::new();
    for task in 0..count {
        let name = format!("t{number}_{task}");
        let _ = writeln!(text, "  task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}");
        tasks.push((name, u64::MAX));
    }
    let modes = *random.one_of(&[1, 1, 2, 3]);
    for mode in 0..modes {
        let period = *random.one_of(&[4, 8, 10, 20, 40]);
        let divisors: Vec<u64> = [1, 2, 4, 5]
            .into_iter()
            .filter(|divisor| u64::is_multiple_of(period, *divisor) && period / divisor >= 2)
            .collect();
        let start = if mode == 0 { "start " } else { "" };
        let _ = writeln!(text, "  {start}mode m{number}_{mode} [period = {period}ms] {{");
        let mut common = 0;
        for (task, (name, shortest)) in tasks.iter_mut().enumerate() {
            if mode > 0 && random.chance(30) {
                continue;
            }
            let frequency = *random.one_of(&divisors);
            common = divisor(common, frequency);
            *shortest = (*shortest).min(period * 10 / frequency);
            let from = match task {
                0 if has_sensor => format!("s{number}"),
                0 => format!("{name}.x"),
                task => format!("t{number}_{}.x", task - 1),
            };
            let _ = writeln!(text, "    task [freq = {frequency}] {name}({from});");
        }
        if has_sensor && random.chance(80) {
            let frequency = *random.one_of(&divisors);
            let _ = writeln!(text, "    actuator [freq = {frequency}] a{number} := t{number}_0.x;");
        }
        if modes > 1 {
            let harmonic: Vec<u64> = divisors
                .iter()
                .copied()
                .filter(|frequency| u64::is_multiple_of(common, *frequency))
                .collect();
            let frequency = *random.one_of(&harmonic);
            let target = random.within(0, modes - 1);
            let guard = format!("g{number}_{mode}");
            let _ = writeln!(
                text,
                "    mode [freq = {frequency}] if {guard}(t{number}_0.x) then m{number}_{target};"
            );
            drivers.push(guard);
        }
        text += "  }\n";
    }
    text += "}\n";
    Drawn { text, tasks, drivers }
}

/// The period of plain modules, in tenths of a millisecond.
pub const PLAIN: u64 = 40;

/// A module with one task that begins and ends with each period: its name and its text.
pub fn plain(number: u64) -> (String, String) {
    let name = format!("t{number}");
    let text = format!(
        "module M{number} {{\n  task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}\n  \
         start mode m{number} [period = 4ms] {{ task [freq = 1] {name}({name}.x); }}\n}}\n"
    );
    (name, text)
}
