//! Processors: what the builder must know of a family of them, whose boards share a port.

use std::collections::BTreeSet;
use std::fmt;

use beryl_code::awake::Rest;
use beryl_trace::crashes::Registers;

use crate::board::Region;
use crate::interval::Interval;

/// A family of processors.
#[derive(Clone, Copy)]
pub struct Processor {
    /// What it is called.
    pub name: &'static str,
    /// The name of the port's crate, and where that is in Beryl's source.
    pub package: [&'static str; 2],
    /// The name of the port's crate in Rust.
    pub module: &'static str,
    /// The compiler's name of the target.
    pub target: &'static str,
    /// What the compiler is told that compiles kernels, beside what it is told for all processors.
    pub kernel_options: &'static [&'static str],
    /// Where steps of its kernels begin.
    pub entries: Entries,
    /// What compiles functions in C, where that can be done.
    pub c: &'static Compiler,
    /// The emulator's program, and Debian's package that has it.
    pub emulator: [&'static str; 2],
    /// Words in front of those of interrupt lines at the start of the flash, if it has a table of vectors there.
    pub vectors: Option<u16>,
    /// What the processor pushes at an exception, on whatever stack it finds, in bytes.
    pub exception_frame: u32,
    /// Stacks begin at a multiple of this, below what their threads share with the kernel.
    pub stack_alignment: u32,
    /// How its kernels differ from those of the board on which kernels are measured.
    pub unmeasured: Unmeasured,
    /// The protection unit.
    pub protection: &'static dyn Protection,
    /// How it waits for interrupts.
    pub rest: Rest,
    /// The registers that the port writes down of a thread that crashed.
    pub registers: &'static Registers,
    /// What it keeps of a thread, as a debugger has to know it.
    pub kept: &'static Kept,
}

/// What a port keeps of each thread while that doesn't run: its `Context`, in `processor/context.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// gdb's name of the processor.
    pub architecture: &'static str,
    /// Bytes of it, which is how far it is to the next thread's.
    pub length: u32,
    /// The word of it that has the stack pointer.
    pub stack_pointer: u32,
    /// What gdb does to read it: `beryl-kept`, `beryl-mode`, `beryl-borrow` and `beryl-give-back`.
    pub commands: &'static str,
}

/// What a kernel of a processor takes more than the one of [`MEASURED`](super::MEASURED), where nobody has measured it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmeasured {
    /// A step is charged so many hundredths of the instructions that it is charged there, and some more.
    pub steps: u64,
    /// How many more, by its kind.
    pub more: More,
    /// Bytes that the port keeps of a thread, if not as many as there.
    pub context: Option<u32>,
    /// Bytes more for the kernel's stack.
    pub stack: u32,
    /// The code takes so many times as much at most; what it does take is known once it is compiled.
    pub code: u64,
}

/// Instructions that a step has beyond what grows with a system, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct More {
    /// The alarm.
    pub alarm: u64,
    /// A step that sorts a place in.
    pub sorting: u64,
    /// The end of a job.
    pub completion: u64,
    /// A decision.
    pub decision: u64,
    /// A step that stops something.
    pub stop: u64,
    /// A fault, or a look for what a stop leaves.
    pub search: u64,
    /// Any other.
    pub other: u64,
}

impl More {
    /// None.
    pub const NONE: More =
        More { alarm: 0, sorting: 0, completion: 0, decision: 0, stop: 0, search: 0, other: 0 };
}

/// Where steps of a processor's kernels begin: the port's entries, by their symbols, and the numbers that tell apart what shares one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entries {
    /// Calls.
    pub calls: Entry,
    /// Interrupts of lines. Its number is that of line 0 where each has its own.
    pub lines: Entry,
    /// Whether each line has a number of its own.
    pub lines_differ: bool,
    /// The alarm, if that isn't one of the lines.
    pub alarm: Option<Entry>,
    /// Faults of user mode.
    pub faults: Entry,
    /// The system's start.
    pub start: Entry,
    /// Where else exceptions come in, on the way to one of these.
    pub others: &'static [&'static str],
}

impl Entries {
    /// The symbols of all, each once.
    #[must_use]
    pub fn symbols(&self) -> BTreeSet<&'static str> {
        let Entries { calls, lines, alarm, faults, start, others, .. } = self;
        let entries = [calls, lines, faults, start].into_iter().chain(alarm);
        entries.map(|entry| entry.symbol).chain(others.iter().copied()).collect()
    }
}

/// Where one kind of exception comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The symbol.
    pub symbol: &'static str,
    /// The exception's number, where others come in there, too.
    pub number: Option<u32>,
    /// The lowest bits of the number that may be any.
    pub any: u32,
}

impl Entry {
    /// One that nothing else shares.
    #[must_use]
    pub const fn alone(symbol: &'static str) -> Entry {
        Entry { symbol, number: None, any: 0 }
    }

    /// One of several, by the exception's number.
    #[must_use]
    pub const fn numbered(symbol: &'static str, number: u32) -> Entry {
        Entry { symbol, number: Some(number), any: 0 }
    }

    /// Whether it is where an exception with this number comes in at a symbol.
    #[must_use]
    pub fn takes(&self, symbol: &str, exception: u32) -> bool {
        let told = |number: u32| number.checked_shr(self.any).unwrap_or_default();
        self.symbol == symbol && self.number.is_none_or(|number| told(number) == told(exception))
    }
}

/// A compiler for functions in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// What CMake calls the processor.
    pub processor: &'static str,
    /// Its program.
    pub program: &'static str,
    /// The same for C++.
    pub cpp: &'static str,
    /// Debian's package that has both.
    pub package: &'static str,
    /// Debian's package that has the C library for it.
    pub library: &'static str,
    /// What it is told.
    pub options: &'static [&'static str],
    /// The instruction that enters the kernel.
    pub enters: &'static str,
    /// The registers of a call's number, and of its arguments.
    pub registers: [&'static str; 5],
}

/// No region covers this interval exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncoverable {
    /// The tightest coverable interval around it.
    pub nearest: Interval,
}

/// What user mode may do with the data of a region. The kernel may always read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// Read.
    Read,
    /// Read and write.
    ReadWrite,
}

/// How a protection unit takes regions, of which there are seven: see [`plan`](crate::plan).
pub trait Protection: Sync {
    /// What of free memory it can cover with at least `size` bytes: a few candidates, of which the plan takes the best.
    fn coverable(&self, free: Interval, size: u64) -> Vec<Interval>;

    /// Whether it can cover exactly a region.
    ///
    /// # Errors
    /// [`Uncoverable`] with what it could.
    fn covers(&self, region: &Region) -> Result<(), Uncoverable>;

    /// The types of the port's layout that its rows need, beside those of all ports.
    fn types(&self) -> &'static str;

    /// What the port's layout says of the regions that stay, as source text.
    ///
    /// # Errors
    /// [`Uncoverable`]: a mistake of the plan.
    fn fixed(&self, regions: &[Region]) -> Result<String, Uncoverable>;

    /// What it says of those that come with a thread. `fixed` are the others.
    ///
    /// # Errors
    /// As [`Protection::fixed`].
    fn switched(&self, fixed: &[Region], regions: &[Region]) -> Result<String, Uncoverable>;
}

impl Uncoverable {
    /// The interval around some bytes that begins and ends at multiples of `grain`.
    #[must_use]
    pub fn aligned(interval: Interval, grain: u32) -> Uncoverable {
        let limit = interval.limit.max(interval.base.saturating_add(1));
        let nearest = Interval::new(
            interval.base / grain * grain,
            limit.checked_next_multiple_of(grain).unwrap_or(u32::MAX),
        );
        Uncoverable { nearest }
    }
}

/// There is one value for each name.
impl PartialEq for Processor {
    fn eq(&self, other: &Processor) -> bool {
        self.name == other.name
    }
}

impl Eq for Processor {}

impl fmt::Debug for Processor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}
