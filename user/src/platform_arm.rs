//! The target: system calls by `svc`, ports at their addresses, the environment's window. What is a board's
//! own is elsewhere: its console's driver (`cmsdk.rs`), and addresses, which the linker script says.

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
    /// The clock's count, which runs down; its address comes from the linker script.
    static __beryl_clock: u32;
    /// The process's journal, or [`NO_JOURNAL`]; its address comes from the linker script.
    static __beryl_journal: u32;
}

/// Stands in for the journal of a process without one: it has no room, so threads call the kernel instead.
#[unsafe(export_name = "BERYL_NO_JOURNAL")]
static NO_JOURNAL: [u32; 4] = [0, 0, 1, 0];

/// The address of the process's journal, or of its stand-in.
#[inline(always)]
pub fn journal() -> Option<u32> {
    Some((&raw const __beryl_journal).expose_provenance() as u32)
}

/// The low word of kernel time, for a process that may read the clock: the timer counts down from its highest
/// value.
#[inline(always)]
pub fn moment() -> u32 {
    // SAFETY: a register that a process with a journal may read; no other is asked for the time.
    !unsafe { (&raw const __beryl_clock).read_volatile() }
}

/// Makes a system call with r1, r2, r3 and r12; returns r0, r1 and r2. An argument that the call doesn't have
/// costs nothing: its register keeps its content.
#[inline(always)]
pub fn call(number: CallNumber, arguments: [Option<u32>; 4]) -> [u32; 3] {
    let [first, second, third, fourth] = arguments;
    let (first, second) = (register(first), register(second));
    let (third, fourth) = (register(third), register(fourth));
    let (status, low, high): (u32, u32, u32);
    // SAFETY: `svc` enters the kernel, which returns values in r0, r1 and r2 and preserves all else. It may
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

/// The register's content for an argument.
#[inline(always)]
fn register(argument: Option<u32>) -> MaybeUninit<u32> {
    argument.map_or(MaybeUninit::uninit(), MaybeUninit::new)
}

/// Nothing: on the target a thread is preempted wherever it is.
#[inline(always)]
pub fn point() {}

/// Lends `place` to the kernel while `body` runs, by its address.
#[inline(always)]
pub fn with_buffer<R>(place: &mut [MaybeUninit<u8>], _filled: usize, body: impl FnOnce(u32) -> R) -> R {
    body(place.as_mut_ptr().expose_provenance() as u32)
}

/// The address, hidden from the optimiser, which then makes nearby addresses from it by an offset in the
/// instruction, not each from two instructions of its own.
#[inline(always)]
pub fn opaque(address: u32) -> u32 {
    let same;
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inlateout(reg) address => same, options(pure, nomem, nostack, preserves_flags));
    }
    same
}

/// Keeps the code behind a branch there, so that the branch is all that the other path costs.
#[inline(always)]
pub fn seldom() {
    core::hint::cold_path();
    // SAFETY: no instruction.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) };
}

/// Reads two words with one instruction.
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

/// Writes two words with one instruction.
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

/// The byte at `address`: on the target, the address itself.
#[inline(always)]
pub fn memory(address: u32) -> *mut u8 {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

/// Nothing: code takes the time that it takes.
#[inline(always)]
pub fn spend(_duration: Duration) {}

/// Whether application code is unwinding from a panic: on the target, never.
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
    // SAFETY: the row says that `values` values of this length follow each other from `data`, and `place` is
    // one of them. A wrong window can only reach memory that the process may touch.
    unsafe { core::ptr::copy_nonoverlapping(row.value(place, value.len()), value.as_mut_ptr(), value.len()) };
    row.advance();
}

/// Copies `value` to the next place of `channel`. The cursor advances even when no place is left, so that a
/// reader of the window sees that values were lost.
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

/// A channel's four words in the window: address of its data, bytes per value, values, cursor.
struct Row(*mut u32);

impl Row {
    /// The row of `channel`, if there is a window that has the channel, and its values are `length` bytes
    /// long.
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

/// A panic of the application: an instruction that the kernel reports as a panic.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    // SAFETY: an undefined instruction; the kernel stops the thread and doesn't return.
    unsafe { asm!("udf #0xBE", options(noreturn, nomem, nostack)) }
}
