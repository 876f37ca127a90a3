//! Which operations are done, and whether they are shown: as `BERYL_NUMBERS` says.
//!
//! Without it all of them. `names` lists them; `17/3` shows the third block of the 17th operation, each with
//! what it is given and what it comes to. The emulated board gets the same choice, since it replays the
//! simulation's sensor values.
#![forbid(unsafe_code)]

use std::env;
use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

/// The variable.
const VARIABLE: &str = "BERYL_NUMBERS";
/// In place of an operation: all; and all by name.
const ALL: i32 = -1;
const NAMES: i32 = -2;

/// An operation and a block of it.
#[derive(Clone, Copy, Debug)]
pub struct Choice([i32; 2]);

/// The choice; seed and folder make no difference.
///
/// # Errors
/// The variable has another form.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Choice, String> {
    match env::var(VARIABLE).as_deref() {
        Err(_) => Ok(Choice([ALL, 0])),
        Ok("names") => Ok(Choice([NAMES, 0])),
        Ok(said) => one(said).map(Choice).ok_or_else(|| {
            format!("{VARIABLE} is `{said}`; it is `names`, or an operation and a block: `17/3`")
        }),
    }
}

fn one(said: &str) -> Option<[i32; 2]> {
    let (operation, block) = said.split_once('/')?;
    Some([operation.parse().ok()?, block.parse().ok()?])
}

impl Environment for Choice {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, value: &mut [u8]) {
        for (place, word) in value.chunks_mut(4).zip(self.0) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(String::new())
    }
}
