//! Faults: a thread did something that it may not do.

/// The kind of access or instruction that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaultKind {
    /// Read or wrote memory that isn't its own.
    Data = 1,
    /// Jumped to memory that may not be executed.
    Execute = 2,
    /// Ran out of its stack region.
    StackOverflow = 3,
    /// An instruction that doesn't exist, or may not run in user mode.
    Instruction = 4,
    /// Touched a device or system register that is the kernel's.
    Privilege = 5,
    /// Divided by zero, unaligned access, or a bad return from an exception.
    Usage = 6,
    /// The bus refused the access.
    Bus = 7,
    /// Didn't finish within its budget.
    Budget = 8,
    /// Panicked: the application said so itself.
    Panic = 9,
    /// Read or wrote another thread's stack, where that can be detected: in the simulation. On a board it is
    /// [`FaultKind::Data`].
    AnothersStack = 10,
    /// Its stack pointer isn't on its stack, so its registers can't be saved there.
    StackPointer = 11,
    /// A supervisor that stayed away from its mailbox for longer than its watchdog allows.
    Watchdog = 12,
    /// Kept others out, raised by a ceiling lock, for longer than its `hold`.
    Hold = 13,
    /// A server that took longer for a request than the `hold` of its endpoint.
    Answer = 14,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 14] = [
        FaultKind::Data,
        FaultKind::Execute,
        FaultKind::StackOverflow,
        FaultKind::Instruction,
        FaultKind::Privilege,
        FaultKind::Usage,
        FaultKind::Bus,
        FaultKind::Budget,
        FaultKind::Panic,
        FaultKind::AnothersStack,
        FaultKind::StackPointer,
        FaultKind::Watchdog,
        FaultKind::Hold,
        FaultKind::Answer,
    ];

    /// The kind with this number, if any.
    #[must_use]
    pub fn decode(number: u8) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// In words, for reports.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            FaultKind::Data => "access to memory that isn't its own",
            FaultKind::Execute => "jump into memory that may not be executed",
            FaultKind::StackOverflow => "stack overflow",
            FaultKind::Instruction => "forbidden or unknown instruction",
            FaultKind::Privilege => "access to a register of the kernel's",
            FaultKind::Usage => "invalid operation",
            FaultKind::Bus => "bus error",
            FaultKind::Budget => "budget used up",
            FaultKind::Panic => "panic",
            FaultKind::AnothersStack => "access to another thread's stack",
            FaultKind::StackPointer => "stack pointer outside of its stack",
            FaultKind::Watchdog => "watchdog not answered",
            FaultKind::Hold => "lock held for longer than its hold",
            FaultKind::Answer => "client kept waiting for longer than the hold",
        }
    }
}

/// A fault of the running thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What was refused.
    pub kind: FaultKind,
    /// The address that was touched, or 0 where the hardware doesn't tell.
    pub address: u32,
    /// The instruction that did it, or 0 where the hardware doesn't tell.
    pub instruction: u32,
}
