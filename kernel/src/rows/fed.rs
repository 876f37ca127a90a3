//! Constant rows of inputs that are fed.

use beryl_abi::ThreadId;

/// A driver's part in a link from a task to one that reads its output at once; see `machine/fed.rs`. There is one row for
/// each driver. A driver that has a part names its task in [`Driver::others`](crate::Driver::others), too: then nothing
/// carries it out by a short way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fed {
    /// It has none.
    Nothing,
    /// An input of its task: the kernel copies it now if the writer's last job is done, and otherwise lets it be fed.
    Fetch {
        /// The task that writes.
        writer: ThreadId,
        /// The link, by its number.
        link: u8,
    },
    /// Its task has done the job that writes: the kernel makes the copy if the reader waits for it.
    Feed {
        /// The link, by its number.
        link: u8,
    },
}
