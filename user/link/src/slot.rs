//! What the loader asks of the kernel: the slot of a timing module, with its two rooms.

/// A refusal of a call itself, by its status; see `beryl_abi::call::CallError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRefused(pub u32);

/// What a step of checking came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to check.
    More,
    /// The program is well and takes over at the module's next harmonic instant.
    Accepted,
    /// The program that was accepted last runs.
    Running,
    /// The program was refused, and nothing has changed: the kernel's reason, and the place in the program.
    Refused {
        /// The checker's rule.
        reason: u32,
        /// The instruction.
        address: u32,
    },
}

/// A module's slot: the room of the program that runs, and the other's. The kernel copies a program before it
/// looks at it, so nothing that the caller does afterwards reaches it.
pub trait Slot {
    /// Copies a whole container into the spare room.
    ///
    /// # Errors
    /// The kernel's status, for example because a program in the room is being checked or waits; nothing has changed.
    fn write(&mut self, container: &[u8]) -> Result<(), CallRefused>;

    /// Does one step of checking, of a bounded number of instructions.
    ///
    /// # Errors
    /// The kernel's status: there is nothing to check.
    fn check(&mut self) -> Result<Progress, CallRefused>;

    /// Lets the previous program take over at the module's next harmonic instant.
    ///
    /// # Errors
    /// The kernel's status: there is none, or one is being checked or waits.
    fn rollback(&mut self) -> Result<(), CallRefused>;
}
