//! The kernel on this processor: its memory, its boot, and the loop of steps.

use core::arch::asm;

use beryl_abi::Line;
use beryl_kernel::{Call, Event, Switch};
use beryl_port::Memory;
use beryl_port::steps::{self, Leave, finish};

use super::apart::{Vector, part};
use super::architecture;
use super::context::{Context, Frame};
use super::floating;
use super::host::Host;
use super::registers::{self, CCR, DIV_0_TRP, FAULTS_ENABLED, ICSR, PENDSVSET, SHCSR};
use crate::board::{Board, Lines};
use crate::layout::{Fixed, Floating, Layout, Switched, Tables};

/// The tables of an image, and the registers of its threads.
pub trait Threads<const THREADS: usize>:
    Tables<THREADS, Fixed = Fixed, Switched = Switched, Context = Context>
{
    /// The rows of threads in a system in which some use floating point; nothing in any other.
    #[inline(always)]
    fn floating() -> &'static [Floating] {
        &[]
    }
    /// The vector tables of the threads' core, and of the kernel's, if that is another one.
    #[inline(always)]
    fn vectors() -> [&'static [Vector]; 2] {
        [&[]; 2]
    }
}

/// All of a kernel's memory. [`kernel!`](crate::kernel) makes one static of it.
pub type Kernel<T, B, const THREADS: usize> = Memory<T, Host<T, B, THREADS>, THREADS>;

type Inside<T, B, const THREADS: usize> =
    beryl_kernel::Kernel<<T as Tables<THREADS>>::Sizes, Host<T, B, THREADS>>;

/// How far into the kernel's memory the pointer lies to the running thread's context.
#[must_use]
pub const fn current<T: Threads<THREADS>, B: Board, const THREADS: usize>() -> usize {
    Kernel::<T, B, THREADS>::MACHINE + Host::<T, B, THREADS>::CURRENT
}

/// Fills the processes' memory, sets up board and protection, and lets the kernel begin.
///
/// # Safety
///
/// Called once, by the reset handler, in privileged thread mode on the main stack. The layout is
/// what the builder placed: stacks and images lie in RAM that nothing else uses.
pub unsafe fn boot<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
) -> ! {
    architecture::guard_stack();
    // SAFETY: the caller vouches for that.
    unsafe { kernel.begin(Host::new) };
    if !T::floating().is_empty() {
        floating::set_up();
    }
    protect(T::layout());
    if B::IS_APART {
        // SAFETY: the end of boot, of which there is one.
        unsafe { part(kernel) }
    }
    registers::unmask::<B>(B::ALARM.0.into());
    if let Some(called) = B::Lines::CALLED {
        registers::unmask::<B>(called.0.into());
    }
    start_threads()
}

/// Ends boot: the event `Start` is handled like every other, in an exception: see `Host::event`.
pub fn start_threads() -> ! {
    ICSR.write(PENDSVSET);
    loop {
        // SAFETY: waits for the exception that is pending already, and doesn't return.
        unsafe { asm!("dsb", "isb", options(nostack)) };
    }
}

/// A system call that can often be done at once. `number` is a constant where this is called, so
/// that nothing of the others is on its way.
///
/// # Safety
///
/// Called only by the entry code, after [`boot`], in handler mode, with the stack pointer
/// of the thread that called: see `entry`.
#[inline(always)]
pub unsafe fn call_ordinarily<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    number: u32,
    [fourth, first, second, third]: [u32; 4],
) {
    // SAFETY: boot has written the inside before it caused the first exception. Handlers never
    // nest, so this is the only reference.
    let kernel = unsafe { kernel.inside() };
    steps::call(kernel, Call { number, arguments: [first, second, third, fourth] })
}

/// Any system call.
///
/// # Safety
///
/// As for [`call_ordinarily`].
#[inline(always)]
pub unsafe fn call<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    number: u32,
) {
    // SAFETY: as in `call_ordinarily`.
    steps::call_at_length(unsafe { kernel.inside() }, number)
}

/// An interrupt.
///
/// # Safety
///
/// As for [`call_ordinarily`], with the number of the active exception.
#[inline(always)]
pub unsafe fn interrupt<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    exception: u32,
) {
    // SAFETY: as in `call_ordinarily`.
    let kernel = unsafe { kernel.inside() };
    let line = exception.wrapping_sub(16);
    // Each is a function of its own, so that none saves registers for the other.
    match line == u32::from(B::ALARM.0) {
        true => alarm_goes_off(kernel),
        false if B::is_call(line) => is_called(kernel),
        false => line_is_raised(kernel, line),
    }
}

/// Any other exception.
///
/// # Safety
///
/// As for [`call_ordinarily`], with the number of the active exception.
#[inline(always)]
pub unsafe fn event<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &Kernel<T, B, THREADS>,
    exception: u32,
    frame: *const Frame,
) {
    // SAFETY: as in `call_ordinarily`.
    let kernel = unsafe { kernel.inside() };
    let switch = event_at_length(kernel, exception, frame);
    finish(kernel, switch)
}

/// The kernel itself went wrong.
///
/// # Safety
///
/// Called only by the entry code, with the place of the frame that the hardware has just put on the kernel's stack.
pub unsafe fn fatal<B: Board>(exception: u32, frame: *const Frame) -> ! {
    // SAFETY: the caller vouches for the frame.
    B::fatal(exception, unsafe { (&raw const (*frame).pc).read_volatile() })
}

/// The alarm.
#[inline(never)]
fn alarm_goes_off<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &mut Inside<T, B, THREADS>) {
    kernel.machine.board.acknowledge();
    kernel
        .handle_ordinarily(Leave::NO_CALL, Event::Alarm)
        .unwrap_or_else(|| finish_interrupt(kernel, B::ALARM.0.into()))
}

/// Another processor rings; the bell may have been found before.
#[inline(never)]
fn is_called<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &mut Inside<T, B, THREADS>) {
    if let Some(bell) = B::Lines::take_bell() {
        line_is_raised(kernel, bell.0.into());
    }
}

/// Any other interrupt.
#[inline(never)]
fn line_is_raised<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    line: u32,
) {
    let event = Event::Interrupt(Line(line as u16));
    kernel.handle_ordinarily(Leave::NO_CALL, event).unwrap_or_else(|| finish_interrupt(kernel, line))
}

/// An interrupt by the way that all of them can take, and what follows it.
#[cold]
#[inline(never)]
fn finish_interrupt<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    line: u32,
) {
    let switch = interrupt_at_length(kernel, line);
    finish(kernel, switch)
}

/// A step for an interrupt, by the way that all of them can take.
#[cold]
#[inline(never)]
pub fn interrupt_at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    line: u32,
) -> Switch {
    match line == u32::from(B::ALARM.0) {
        true => kernel.handle_at_length(Event::Alarm),
        false => kernel.handle_at_length(Event::Interrupt(Line(line as u16))),
    }
}

/// A step for any other exception. It keeps things on its stack, and who does can't go to `beryl_switch`: see `entry`.
#[cold]
#[inline(never)]
fn event_at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    exception: u32,
    frame: *const Frame,
) -> Switch {
    match kernel.machine.event(exception, frame) {
        Some(fault) => kernel.handle_at_length(Event::Fault(fault)),
        None => kernel.handle_at_length(Event::Start),
    }
}

/// Turns on the fixed regions and the faults. Exceptions keep the priority 0 that reset gave them.
fn protect(layout: &Layout) {
    architecture::protect(layout.fixed);
    CCR.write(CCR.read() | DIV_0_TRP);
    SHCSR.write(SHCSR.read() | FAULTS_ENABLED);
}

/// The kernel of one system: its memory, `main` for the reset handler, and the functions that
/// the entry code calls. `$system` and `$layout` are statics.
#[macro_export]
macro_rules! kernel {
    ($sizes:ty, $system:expr, $layout:expr, $board:ty $(, $crashes:ident)? $(; $floating:expr)?) => {
        const _: () = {
            $crate::common::hosted! { $crate, $sizes, $system, $layout, $board }

            impl $crate::Threads<THREADS> for Tables {
$(
                #[inline(always)]
                fn floating() -> &'static [$crate::Floating] {
                    &$floating
                }
)?            }

            $crate::entered! { $board }

            /// Interrupts end here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_interrupt(exception: u32) {
                // SAFETY: called by the entry code only, with what `interrupt` asks for.
                unsafe { $crate::interrupt(&KERNEL, exception) }
            }

            $crate::other_way! { Tables, $board, THREADS $(, $crashes)? }
        };
    };
}

/// What the entry code of every kernel goes to, wherever its threads are.
#[doc(hidden)]
#[macro_export]
macro_rules! entered {
    ($board:ty) => {
        /// Every interrupt has the same entry.
        #[unsafe(link_section = ".vector_table.interrupts")]
        #[unsafe(no_mangle)]
        static __INTERRUPTS: [unsafe extern "C" fn(); <$board as $crate::Board>::LINES as usize] =
            [$crate::DefaultHandler; <$board as $crate::Board>::LINES as usize];

        $crate::abi::each_call!($crate::own_ways);

        /// Every other system call ends here.
        #[unsafe(no_mangle)]
        extern "C" fn beryl_call(number: u32) {
            // SAFETY: called by the entry code only, with what `call` asks for.
            unsafe { $crate::call(&KERNEL, number) }
        }

        /// A fault of the kernel itself ends here.
        #[unsafe(no_mangle)]
        extern "C" fn beryl_fatal(exception: u32, frame: *const $crate::Frame) -> ! {
            // SAFETY: called by the entry code only, with what `fatal` asks for.
            unsafe { $crate::fatal::<$board>(exception, frame) }
        }
    };
}

/// The functions in which calls end that have a way of their own, each with the call's name. The
/// entry code hands them the fourth argument first, since the number is known.
#[doc(hidden)]
#[macro_export]
macro_rules! own_ways {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $needs:ident, $way:tt, $registers:tt, $answers:literal;)+) => {
        $($crate::own_way! { $way $name })+
    };
}

/// Every other exception of user mode ends here. Where faults are written down, the registers that the exception hasn't
/// stacked are kept first, while they are the thread's: in its context, in which a switch would keep them.
#[doc(hidden)]
#[macro_export]
macro_rules! other_way {
    ($tables:ty, $board:ty, $threads:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn beryl_event(exception: u32, frame: *const $crate::Frame) {
            // SAFETY: called by the entry code only, with what `event` asks for.
            unsafe { $crate::event(&KERNEL, exception, frame) }
        }
    };
    ($tables:ty, $board:ty, $threads:expr, crashes) => {
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        extern "C" fn beryl_event(exception: u32, frame: *const $crate::Frame) {
            core::arch::naked_asm!(
                "ldr   r2, 2f",
                "ldr   r2, [r2]",
                "adds  r2, #{registers}",
                "stm   r2, {{r4-r11}}",
                "b.w   {kept}",
                ".balign 4",
                "2: .word {kernel} + {current}",
                registers = const core::mem::offset_of!($crate::Context, r4_to_r11),
                current = const $crate::current::<$tables, $board, $threads>(),
                kernel = sym KERNEL,
                kept = sym kept_event,
            )
        }

        extern "C" fn kept_event(exception: u32, frame: *const $crate::Frame) {
            // SAFETY: called by the entry code only, by way of `beryl_event`, with what `event` asks for.
            unsafe { $crate::event(&KERNEL, exception, frame) }
        }
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
        extern "C" fn $function(fourth: u32, first: u32, second: u32, third: u32) {
            const NUMBER: u32 = $crate::abi::CallNumber::$name as u32;
            // SAFETY: called by the entry code only, with what `call_ordinarily` asks for.
            unsafe { $crate::call_ordinarily(&KERNEL, NUMBER, [fourth, first, second, third]) }
        }
    };
}
