//! The kernel on this processor: its memory, its boot, and the loop of steps.

use beryl_kernel::Call;
use beryl_port::Memory;
use beryl_port::steps;

use super::context::Context;
use super::host::{Host, STAYS};
use super::registers::{self, TIMER};
use crate::board::{Board, Controller};
use crate::layout::{Fixed, Layout, Switched, Tables};
use crate::pmp::guard;

unsafe extern "C" {
    /// Ends boot: takes the event `Start` on a stack that is empty, and lets the first thread run; see `entry`.
    fn beryl_begin() -> !;
    /// The end of the kernel's variables, from the linker script.
    static __ebss: u32;
}

/// The tables of an image, and the registers of its threads.
pub trait Threads<const THREADS: usize>:
    Tables<THREADS, Fixed = Fixed, Switched = Switched, Context = Context>
{
}

impl<T: Tables<THREADS, Fixed = Fixed, Switched = Switched, Context = Context>, const THREADS: usize>
    Threads<THREADS> for T
{
}

/// All of a kernel's memory. [`kernel!`](crate::kernel) makes one static of it.
pub type Kernel<T, B, const THREADS: usize> = Memory<T, Host<T, B, THREADS>, THREADS>;

/// Fills the processes' memory, sets up board and protection, lets the kernel begin, and becomes the first thread.
///
/// # Safety
///
/// Called once, by the reset code, in machine mode on the kernel's stack. The layout is what the builder placed:
/// stacks and images lie in RAM that nothing else uses.
pub unsafe fn boot<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
) -> ! {
    protect(T::layout());
    // SAFETY: the caller vouches for that.
    unsafe { kernel.begin(Host::new) };
    registers::enable_interrupts();
    // SAFETY: all of the inside has just been written, and nothing of this stack is needed any more.
    unsafe { beryl_begin() }
}

/// A system call. `number` is a constant where this is called for a call with a way of its own, so that nothing of
/// the others is on its way.
///
/// # Safety
///
/// Called only by the entry code, after [`boot`]. Traps never nest, so this is the only reference to the kernel's inside.
#[inline(always)]
pub unsafe fn call<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    number: u32,
    arguments: [u32; 4],
) -> *mut Context {
    // SAFETY: the caller vouches for that.
    steps::call(unsafe { kernel.inside() }, Call { number, arguments })
}

/// An interrupt, with its cause.
///
/// # Safety
///
/// As for [`call`].
#[inline(always)]
pub unsafe fn interrupt<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    cause: u32,
) -> *mut Context {
    // SAFETY: as in `call`.
    let kernel = unsafe { kernel.inside() };
    if cause & 0xFF == TIMER {
        kernel.machine.board.acknowledge();
        return steps::interrupt(kernel, None);
    }
    let line = kernel.machine.board.lines().claim();
    line.map_or(STAYS, |line| steps::interrupt(kernel, Some(line)))
}

/// Any other trap of user mode, with its cause and what belongs to it.
///
/// # Safety
///
/// As for [`call`].
#[inline(always)]
pub unsafe fn fault<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    cause: u32,
    value: u32,
) -> *mut Context {
    // SAFETY: as in `call`.
    let kernel = unsafe { kernel.inside() };
    let fault = kernel.machine.fault(cause, value);
    steps::fault(kernel, fault)
}

/// Turns on what stays: what all may touch, and the guard between the kernel's variables and its stack.
fn protect(layout: &Layout) {
    let [address, config] = guard((&raw const __ebss).addr().next_multiple_of(32) as u32);
    registers::protect(&layout.fixed, address, config);
}

/// The kernel of one system: its memory, `main` for the reset code, and the functions that
/// the entry code calls. `$system` and `$layout` are statics.
#[macro_export]
macro_rules! kernel {
    ($sizes:ty, $system:expr, $layout:expr, $board:ty $(, $crashes:ident)?) => {
        const _: () = {
            $crate::common::hosted! { $crate, $sizes, $system, $layout, $board }

            $crate::abi::each_call!($crate::own_ways);

            /// Every other system call comes here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_call(number: u32) -> *mut $crate::Context {
                // SAFETY: called by the entry code only.
                unsafe { $crate::common::steps::call_at_length(KERNEL.inside(), number) }
            }

            /// Boot ends here, with the context of the thread that runs first.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_start() -> *mut $crate::Context {
                // SAFETY: called by the entry code only, once, when all of the inside has been written.
                let kernel = unsafe { KERNEL.inside() };
                $crate::common::steps::start(kernel);
                kernel.machine.current()
            }

            /// Interrupts come here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_interrupt(cause: u32) -> *mut $crate::Context {
                // SAFETY: called by the entry code only.
                unsafe { $crate::interrupt(&KERNEL, cause) }
            }

            $crate::fault_way! { $($crashes)? }

            /// A trap of the kernel itself comes here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_fatal(cause: u32, instruction: u32) -> ! {
                <$board as $crate::common::Board>::fatal(cause, instruction)
            }
        };
    };
}

/// Every other trap of user mode comes here. Where faults are written down, the registers that the entry code leaves where
/// they are are kept first, while they are the thread's: in its context, as a switch would.
#[doc(hidden)]
#[macro_export]
macro_rules! fault_way {
    () => {
        #[unsafe(no_mangle)]
        extern "C" fn beryl_fault(cause: u32, value: u32) -> *mut $crate::Context {
            // SAFETY: called by the entry code only.
            unsafe { $crate::fault(&KERNEL, cause, value) }
        }
    };
    (crashes) => {
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        extern "C" fn beryl_fault(cause: u32, value: u32) -> *mut $crate::Context {
            core::arch::naked_asm!(
                // The word at the top of the kernel's stack is the thread's context.
                "lw    t0, 0(sp)",
                ".irp n, 8, 9, 18, 19, 20, 21",
                "sw    x\\n, 4 * \\n(t0)",
                ".endr",
                "j     {kept}",
                kept = sym kept_fault,
            )
        }

        extern "C" fn kept_fault(cause: u32, value: u32) -> *mut $crate::Context {
            // SAFETY: called by the entry code only, by way of `beryl_fault`.
            unsafe { $crate::fault(&KERNEL, cause, value) }
        }
    };
}

/// The functions of calls that have a way of their own, each with the call's name.
#[doc(hidden)]
#[macro_export]
macro_rules! own_ways {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $needs:ident, $way:tt, $registers:tt, $answers:literal;)+) => {
        $($crate::own_way! { $way $name })+
    };
}

/// One of them.
#[doc(hidden)]
#[macro_export]
macro_rules! own_way {
    (_ $name:ident) => {};
    // It ends in the entry code.
    (null $name:ident) => {};
    ($function:ident $name:ident) => {
        #[unsafe(export_name = concat!("beryl_", stringify!($function)))]
        extern "C" fn $function(
            _number: u32,
            first: u32,
            second: u32,
            third: u32,
            fourth: u32,
        ) -> *mut $crate::Context {
            const NUMBER: u32 = $crate::abi::CallNumber::$name as u32;
            // SAFETY: called by the entry code only.
            unsafe { $crate::call(&KERNEL, NUMBER, [first, second, third, fourth]) }
        }
    };
}
