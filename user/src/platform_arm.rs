//! The target: system calls by `svc`, ports at their addresses, the environment's window. What is a board's own is elsewhere: its console's
//! driver (`cmsdk.rs`), and addresses, which the linker script says.

use core::arch::asm;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use beryl_abi::environment::{CHANNEL_WORDS, Channel, HEADER_WORDS, MAGIC};
use beryl_abi::{CallNumber, Duration};

// The console that all boards have.
pub use crate::cmsdk::{listen, print, receive, transmit, write};

unsafe extern "C" {
    /// The environment's window; its address comes from the linker script.
    static __beryl_environment: u32;
    /// The clock's count, which goes down; its address comes from the linker script.
    static __beryl_clock: u32;
    /// The process's journal, or [`NO_JOURNAL`]; its address comes from the linker script.
    static __beryl_journal: u32;
}

/// What stands in for a journal where a process has none: it has no room, and who finds none calls the kernel.
#[unsafe(export_name = "BERYL_NO_JOURNAL")]
static NO_JOURNAL: [u32; 4] = [0, 0, 1, 0];

/// Where the process's journal is, or what stands in for it.
#[inline(always)]
pub fn journal() -> Option<u32> {
    Some((&raw const __beryl_journal).expose_provenance() as u32)
}

/// The low word of kernel time, of a process that may read the clock: it has done so since the timer was set to its highest count.
#[inline(always)]
pub fn moment() -> u32 {
    // SAFETY: a register that the process may read if it has a journal, and only then is it asked for the time.
    !unsafe { (&raw const __beryl_clock).read_volatile() }
}

/// Makes a system call with r1, r2, r3 and r12; answers r0, r1 and r2. An argument that the call
/// doesn't have costs nothing: its register holds whatever it held.
#[inline(always)]
pub fn call(number: CallNumber, arguments: [Option<u32>; 4]) -> [u32; 3] {
    let [first, second, third, fourth] = arguments;
    let (first, second) = (register(first), register(second));
    let (third, fourth) = (register(third), register(fourth));
    let (status, low, high): (u32, u32, u32);
    // SAFETY: `svc` enters the kernel, which answers in r0, r1 and r2 and preserves all else. It may
    // write memory, so the block counts as writing memory (no `nomem`).
    unsafe {
        asm!(
            "svc 0",
            inlateout("r0") number as u32 => status,
            inlateout("r1") first => low,
            inlateout("r2") second => high,
            in("r3") third,
            in("r12") fourth,
            options(nostack),
        );
    }
    [status, low, high]
}

/// What goes into the register of an argument.
#[inline(always)]
fn register(argument: Option<u32>) -> MaybeUninit<u32> {
    argument.map_or(MaybeUninit::uninit(), MaybeUninit::new)
}

/// Nothing: on the target a thread is preempted wherever it is.
#[inline(always)]
pub fn point() {}

/// Lends `place` to the kernel for as long as `body` runs, by its address.
#[inline(always)]
pub fn with_buffer<R>(place: &mut [MaybeUninit<u8>], _filled: usize, body: impl FnOnce(u32) -> R) -> R {
    body(place.as_mut_ptr().expose_provenance() as u32)
}

/// The address, hidden from the optimiser: addresses near it are then made from it, by an offset in the
/// instruction, and not each from two instructions of its own.
#[inline(always)]
pub fn opaque(address: u32) -> u32 {
    let same;
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inlateout(reg) address => same, options(pure, nomem, nostack, preserves_flags));
    }
    same
}

/// Keeps what is behind a branch there, so that the branch is all that the other way costs.
#[inline(always)]
pub fn seldom() {
    core::hint::cold_path();
    // SAFETY: no instruction.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) };
}

/// Reads two words by one instruction.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may read them.
#[inline(always)]
pub unsafe fn load_two(words: *const u32) -> [u32; 2] {
    let (first, second);
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "ldrd {first}, {second}, [{words}]",
            words = in(reg) words,
            first = lateout(reg) first,
            second = lateout(reg) second,
            options(nostack, preserves_flags),
        );
    }
    [first, second]
}

/// Writes two words by one instruction.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may write them.
#[inline(always)]
pub unsafe fn store_two(words: *mut u32, [first, second]: [u32; 2]) {
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "strd {first}, {second}, [{words}]",
            words = in(reg) words,
            first = in(reg) first,
            second = in(reg) second,
            options(nostack, preserves_flags),
        );
    }
}

/// The byte at `address`: on the target, an address is one.
#[inline(always)]
pub fn memory(address: u32) -> *mut u8 {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

/// Nothing: code takes the time that it takes.
#[inline(always)]
pub fn spend(_duration: Duration) {}

/// Whether application code is on its way out of a panic: there is no way out.
#[inline(always)]
pub const fn is_panicking() -> bool {
    false
}

/// Runs application code; a panic in it is an instruction that the kernel reports.
#[inline(always)]
pub fn contain<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// Waits for an interrupt.
pub fn sleep() {
    // SAFETY: `wfi` changes nothing; it may run in user mode.
    unsafe { asm!("wfi", options(nomem, nostack, preserves_flags)) }
}

/// Copies the next recorded value of `channel` into `value`; see [`crate::environment::read`].
pub fn environment_read(channel: Channel, value: &mut [u8]) {
    let Some(row) = Row::find(channel, value.len()) else { return };
    let Some(last) = row.values().checked_sub(1) else { return };
    let place = row.cursor().min(last);
    // SAFETY: the row says that `values` values of this length follow each other from `data`, and
    // `place` is one of them. A window that lies can only reach what the process may touch.
    unsafe { core::ptr::copy_nonoverlapping(row.value(place, value.len()), value.as_mut_ptr(), value.len()) };
    row.advance();
}

/// Copies `value` to the next place of `channel`. The cursor goes on when no place is left, so that
/// whoever reads the window sees that values were lost.
pub fn environment_write(channel: Channel, value: &[u8]) {
    let Some(row) = Row::find(channel, value.len()) else { return };
    if row.cursor() < row.values() {
        // SAFETY: as in `environment_read`, with the place that the cursor names.
        unsafe {
            core::ptr::copy_nonoverlapping(value.as_ptr(), row.value(row.cursor(), value.len()), value.len());
        }
    }
    row.advance();
}

/// A channel's four words in the window: address of its data, bytes a value, values, cursor.
struct Row(*mut u32);

impl Row {
    /// The row of `channel`, if there is a window, the channel is in it, and its values are `length` bytes long.
    fn find(channel: Channel, length: usize) -> Option<Row> {
        let window = (&raw const __beryl_environment).cast_mut();
        // SAFETY: the window begins with its header wherever there is a board with one; both words
        // lie inside it.
        let (magic, channels) = unsafe { (window.read_volatile(), window.add(3).read_volatile()) };
        if magic != MAGIC || channel.number() >= channels {
            return None;
        }
        let words = HEADER_WORDS.saturating_add(CHANNEL_WORDS.saturating_mul(channel.number()));
        let row = Row(window.wrapping_add(words as usize));
        (row.word(1) as usize == length).then_some(row)
    }

    fn values(&self) -> u32 {
        self.word(2)
    }

    fn cursor(&self) -> u32 {
        self.word(3)
    }

    fn advance(&self) {
        // SAFETY: the fourth word of a row that `find` found in the window.
        unsafe { self.0.add(3).write_volatile(self.cursor().saturating_add(1)) }
    }

    /// Where value `place` begins: values start at multiples of four.
    fn value(&self, place: u32, length: usize) -> *mut u8 {
        let stride = length.next_multiple_of(4);
        memory(self.word(0)).wrapping_add(stride.saturating_mul(place as usize))
    }

    fn word(&self, index: usize) -> u32 {
        // SAFETY: `index` is below four, inside a row that `find` found in the window.
        unsafe { self.0.add(index).read_volatile() }
    }
}

/// A panic of the application: an instruction that the kernel reports as one.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    // SAFETY: an undefined instruction; the kernel stops the thread and doesn't come back.
    unsafe { asm!("udf #0xBE", options(noreturn, nomem, nostack)) }
}
