//! A channel's place in the window: what the board does with its row tells whether it reads or writes a value.
//!
//! ```text
//!           length loaded (1)            number of values loaded (2)
//!   Away --------------------> Found ----------------------------------> Reads --+
//!    ^                           |                                               |
//!    |                           +--- cursor loaded (3) ---> Writes --+          |
//!    +------------------------------------- cursor stored (4) --------+----------+
//! ```
//! A reader looks at the number of values first, a writer at the cursor (`user/src/platform_arm.rs`): the plant is asked
//! at (2), and hears of a value at (4) behind (3). Who finds another length than its own goes away at (1).

use beryl_abi::environment::CHANNEL_WORDS;

use super::{Access, Broken, Shared};

/// Words of a row.
const ADDRESS: u32 = 0;
const LENGTH: u32 = 1;
const VALUES: u32 = 2;
const CURSOR: u32 = 3;

/// What whoever touches the row is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Away,
    Found,
    Reads,
    Writes,
}

/// What the board has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It is about to read a value.
    Asked,
    /// It has written one.
    Written,
}

/// The place of one value.
#[derive(Debug)]
pub(crate) struct Place {
    row: u32,
    /// Where the value is.
    pub(crate) address: u32,
    /// What it was last.
    pub(crate) value: Vec<u8>,
    stage: Stage,
}

impl Place {
    /// The place of the row at an address, with the value that it holds.
    pub(crate) fn new(memory: &impl Shared, row: u32) -> Result<Place, Broken> {
        let word = |index: u32| memory.word(row + index * 4);
        let length = usize::try_from(word(LENGTH)?).unwrap_or(usize::MAX);
        let (address, mut value) = (word(ADDRESS)?, vec![0; length]);
        memory.read(address, &mut value)?;
        Ok(Place { row, address, value, stage: Stage::Away })
    }

    /// A word of the row was loaded or stored.
    pub(crate) fn touched(&mut self, access: Access, word: u32) -> Option<Done> {
        debug_assert!(word < CHANNEL_WORDS);
        let (stage, done) = match (self.stage, access, word) {
            (_, Access::Load, LENGTH) => (Stage::Found, None),
            (Stage::Found, Access::Load, VALUES) => (Stage::Reads, Some(Done::Asked)),
            (Stage::Found, Access::Load, CURSOR) => (Stage::Writes, None),
            (Stage::Writes, Access::Store, CURSOR) => (Stage::Away, Some(Done::Written)),
            (Stage::Reads, Access::Store, CURSOR) => (Stage::Away, None),
            (stage, _, _) => (stage, None),
        };
        self.stage = stage;
        done
    }

    /// The written value was taken: there is room for the next one.
    pub(crate) fn empty(&self, memory: &impl Shared) -> Result<(), Broken> {
        memory.write(self.row + CURSOR * 4, &0_u32.to_le_bytes())
    }
}
