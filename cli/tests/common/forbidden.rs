//! Threads of a process that do one forbidden thing each, on a board, beside a process that does nothing wrong.

use super::{application, beryl, change, threads};

/// The name of a thread, what it does, and what the kernel makes of it.
pub type Misdeed = (&'static str, &'static str, &'static str);

/// What they do it with. The board does it; in the simulation they stop.
const TOOLS: &str = r#"
unsafe extern "C" {
    safe static __beryl_memory_steady: u32;
}
macro_rules! instruction {
    ($($text:tt)+) => { unsafe { core::arch::asm!($($text)+) } };
}
fn store(address: usize) {
    unsafe { core::ptr::with_exposed_provenance_mut::<u32>(address).write_volatile(0xDEAD_BEEF) }
}
fn load(address: usize) {
    unsafe { core::ptr::with_exposed_provenance::<u32>(address).read_volatile() };
}
#[expect(unconditional_recursion)]
fn deeper(level: u32) -> u32 {
    let frame = core::hint::black_box([level; 8]);
    core::hint::black_box(deeper(level.wrapping_add(1)).wrapping_add(frame[3]))
}
"#;

/// A thread in a process of its own, which does nothing wrong.
const STEADY: &str = r#"[process.steady]
memory = "64"

[thread.steady]
process = "steady"
band = "priorities"
priority = 0
entry = "steady"
period = "10ms"
worst = "1ms"
stack = "512"

"#;

const STEADY_CODE: &str = r"#![no_std]
#![allow(dead_code, unused_macros, unreachable_code)]
use beryl_user::{call, period::Period};

pub fn steady(mut period: Period) -> ! {
    loop {
        period.wait();
    }
}
";

/// Runs the system `name` with these threads on a board: each fault that was told of them, and all that was said. `tools`
/// is what the processor has of its own.
pub fn told(name: &str, board: &str, misdeeds: &[Misdeed], tools: &str) -> (Vec<(String, String)>, String) {
    let (mut text, mut code) = (STEADY.to_owned(), format!("{STEADY_CODE}{TOOLS}{tools}"));
    for (place, (name, deed, _)) in misdeeds.iter().enumerate() {
        text += &format!(
            "[thread.{name}]\nprocess = \"one\"\nband = \"priorities\"\npriority = {}\nentry = \"{name}\"\nstack = \"512\"\n\n",
            30 - place
        );
        code += &format!(
            "pub fn {name}() -> ! {{\n    #[cfg(target_os = \"none\")]\n    {{\n        {deed};\n    }}\n    call::stop()\n}}\n"
        );
    }
    let system = threads(name, "app", &text);
    change(&system.join("beryl.toml"), "[process.one]\n", "[process.one]\non_fault = \"stop-thread\"\n");
    application(&system, name, &code);
    // Threads that aren't periodic aren't proved.
    let system = system.display().to_string();
    let said = beryl(&["run", &system, "--board", board, "--for", "50ms", "--unchecked"]);
    let told = said.out.lines().filter_map(|line| {
        let (thread, fault) = line.split_once(" ms: ")?.1.split_once(" of process one stopped: ")?;
        Some((thread.to_owned(), fault.to_owned()))
    });
    (told.collect(), format!("{said:?}"))
}
