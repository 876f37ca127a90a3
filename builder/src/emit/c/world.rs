//! A world in C: the environment of simulations, of which the builder declares what it defines, and makes an environment.
//!
//! All that a world keeps is in one struct of its own. So each run has one that is new, and several can go on at a time.

use crate::assembly::Assembly;
use crate::emit::File;
use crate::emit::c::{plain, structure};

/// Where the header is, in the system's folder.
pub const HEADER: &str = "c/world.h";
/// Where those functions are that a world may leave out.
pub const DEFAULTS: &str = "c/world_defaults.c";

/// What every world defines.
pub const REQUIRED: [&str; 3] = ["world_size", "world_read", "world_write"];

/// What a world defines, as C declares it.
const DECLARED: &str = "
/* What the world keeps. The world's file defines it, and how long it is: `const size_t world_size = sizeof(world);`. Each run
   begins with one of which all bytes are 0. What is kept elsewhere goes on from run to run, so nothing should be. */
typedef struct world world;
extern const size_t world_size;

/* All instants are nanoseconds since the start. They never go back on a node. */

/* A sensor is read: `value` holds what it had before, and has `length` bytes. */
void world_read(world *world, uint64_t instant, uint32_t channel, void *value, uint32_t length);

/* An actuator is written. */
void world_write(world *world, uint64_t instant, uint32_t channel, const void *value, uint32_t length);

/* What follows may be left out. */

/* A run begins, with the seed of `--plant-seed` and the description's folder. Null, or what is wrong: then it doesn't begin. */
const char *world_begin(world *world, uint64_t seed, const char *folder);

/* Whether an interrupt comes later than `after`; the first that does: when, and on which line. It is asked again after each read
   and write. Lines that are raised together are a nanosecond apart. */
bool world_interrupt(world *world, uint64_t after, uint64_t *instant, uint16_t *line);

/* Whether the device holds its line up, which was raised; or whether it raises it for a moment only. */
typedef enum world_line { WORLD_MOMENT, WORLD_UP, WORLD_DOWN } world_line;
world_line world_level(world *world, uint64_t instant, uint16_t line);

/* The run is over: whether the system did what it should. `report` has room for `room` bytes, with a 0 at the end. */
bool world_finish(world *world, uint64_t instant, char *report, size_t room);
";

/// What a world may leave out. Weak functions give way to others.
const LEFT_OUT: &str = "/* What the world leaves out. Written by the builder; changes are lost. */
#define WEAK __attribute__((weak))

WEAK const char *world_begin(world *world, uint64_t seed, const char *folder) {
    (void)world, (void)seed, (void)folder;
    return 0;
}

WEAK bool world_interrupt(world *world, uint64_t after, uint64_t *instant, uint16_t *line) {
    (void)world, (void)after, (void)instant, (void)line;
    return false;
}

WEAK world_line world_level(world *world, uint64_t instant, uint16_t line) {
    (void)world, (void)instant, (void)line;
    return WORLD_MOMENT;
}

WEAK bool world_finish(world *world, uint64_t instant, char *report, size_t room) {
    (void)world, (void)instant, (void)report, (void)room;
    return true;
}
";

/// The header, with the structs of ports, and the functions that may be left out.
#[must_use]
pub fn files(assembly: &Assembly) -> [File; 2] {
    let mut text = format!(
        "/* The world of `{}`, for simulations. Written by the builder; changes are lost. */\n#pragma once\n\n\
         #include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n{DECLARED}",
        assembly.name
    );
    text.extend(assembly.records.iter().map(|record| structure(record)));
    text += &plain::mathematics_declared();
    [File::new(HEADER, text), File::new(DEFAULTS, LEFT_OUT.to_owned())]
}

/// The environment that asks it, as Rust; with mathematics, where nobody else defines it.
#[must_use]
pub fn environment(has_mathematics: bool) -> String {
    let mathematics = if has_mathematics { String::new() } else { plain::mathematics_defined() };
    format!("{ENVIRONMENT}{mathematics}")
}

const ENVIRONMENT: &str = r#"
/// The world in C, as `c/world.h` declares it.
mod world {
    use std::ffi::{CStr, CString, c_char};

    use beryl_abi::Line;
    use beryl_abi::environment::Channel;
    use beryl_sim::{Environment, Nanoseconds};

    unsafe extern "C" {
        #[link_name = "world_size"]
        static SIZE: usize;
        fn world_begin(world: *mut u128, seed: u64, folder: *const c_char) -> *const c_char;
        fn world_read(world: *mut u128, instant: u64, channel: u32, value: *mut u8, length: u32);
        fn world_write(world: *mut u128, instant: u64, channel: u32, value: *const u8, length: u32);
        fn world_interrupt(world: *mut u128, after: u64, instant: *mut u64, line: *mut u16) -> bool;
        fn world_level(world: *mut u128, instant: u64, line: u16) -> u32;
        fn world_finish(world: *mut u128, instant: u64, report: *mut c_char, room: usize) -> bool;
    }

    /// The bytes that the world keeps, aligned for anything.
    pub struct World(Vec<u128>);

    /// A new world.
    pub fn environment(seed: u64, folder: &str) -> Result<World, String> {
        // SAFETY: a constant.
        let size = unsafe { SIZE };
        let mut world = World(vec![0; size.div_ceil(size_of::<u128>())]);
        let folder = CString::new(folder).map_err(|error| error.to_string())?;
        // SAFETY: as many bytes as the world asked for, and a text with its end.
        let wrong = unsafe { world_begin(world.0.as_mut_ptr(), seed, folder.as_ptr()) };
        if wrong.is_null() {
            return Ok(world);
        }
        // SAFETY: a text with its end.
        Err(unsafe { CStr::from_ptr(wrong) }.to_string_lossy().into_owned())
    }

    impl Environment for World {
        fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
            let (place, length) = (value.as_mut_ptr(), value.len() as u32);
            // SAFETY: the world's own bytes, and a value of this length that nobody else has now.
            unsafe { world_read(self.0.as_mut_ptr(), instant.count(), channel.number(), place, length) };
        }

        fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
            let (place, length) = (value.as_ptr(), value.len() as u32);
            // SAFETY: the world's own bytes, and a value of this length, which it only reads.
            unsafe { world_write(self.0.as_mut_ptr(), instant.count(), channel.number(), place, length) };
        }

        fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
            let (mut instant, mut line) = (0, 0);
            // SAFETY: the world's own bytes, and two variables of this call.
            let comes = unsafe { world_interrupt(self.0.as_mut_ptr(), after.count(), &mut instant, &mut line) };
            comes.then_some((Nanoseconds::new(instant), Line(line)))
        }

        fn level(&mut self, instant: Nanoseconds, line: Line) -> Option<bool> {
            // SAFETY: the world's own bytes.
            match unsafe { world_level(self.0.as_mut_ptr(), instant.count(), line.0) } {
                1 => Some(true),
                2 => Some(false),
                _ => None,
            }
        }

        fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
            let mut report = [0_u8; 1024];
            let room = report.len() - 1;
            let place = report.as_mut_ptr().cast();
            // SAFETY: the world's own bytes, and the report with its room.
            let is_well = unsafe { world_finish(self.0.as_mut_ptr(), instant.count(), place, room) };
            let end = report.iter().position(|byte| *byte == 0).unwrap_or(room);
            let said = String::from_utf8_lossy(&report[..end]).into_owned();
            if is_well { Ok(said) } else { Err(said) }
        }
    }
}
"#;
