//! The kernel on this processor: its memory, its boot, and the loop of steps.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use beryl_abi::{CallError, Classes, Line, ThreadId};
use beryl_kernel::{Call, Event, Exit, Memory, Switch, Way};

use super::architecture;
use super::context::{Context, Frame};
use super::floating;
use super::host::Host;
use super::registers::{self, CCR, DIV_0_TRP, FAULTS_ENABLED, ICSR, PENDSVSET, SHCSR};
use crate::board::Board;
use crate::layout::{Image, Layout, Tables};

/// The tables of an image, and the registers of its threads.
pub trait Threads<const THREADS: usize>: Tables {
    /// What the port keeps of the threads, in the order of the kernel's table.
    fn contexts() -> &'static [UnsafeCell<Context>; THREADS];
}

/// All of a kernel's memory. [`kernel!`](crate::kernel) makes one static of it. The state stands first, since
/// most steps ask it for more than they ask the contexts.
#[repr(C)]
pub struct Kernel<T: Threads<THREADS>, B: Board, const THREADS: usize> {
    /// The state in it is blank from the start on, the door isn't; [`Kernel::boot`] makes both,
    /// [`Kernel::event`] and its likes change them.
    inside: UnsafeCell<MaybeUninit<Inside<T, B, THREADS>>>,
    /// Reached by raw pointers only: the entry code loads and saves them outside of Rust.
    pub contexts: [UnsafeCell<Context>; THREADS],
}

type Inside<T, B, const THREADS: usize> = beryl_kernel::Kernel<<T as Tables>::Sizes, Host<T, B, THREADS>>;

// SAFETY: there is one processor, and the memory is touched by boot, which runs before any
// exception is possible, and by exception handlers, which have one priority and never nest. So
// there is never more than one place at work on it, and it needs no lock.
unsafe impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Sync for Kernel<T, B, THREADS> {}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Kernel<T, B, THREADS> {
    /// How far into the kernel's memory the pointer lies to the running thread's context.
    pub const CURRENT: usize =
        core::mem::offset_of!(Inside<T, B, THREADS>, machine) + Host::<T, B, THREADS>::CURRENT;

    /// The memory of a kernel that hasn't been booted; all of it zero or nothing at all, so it takes no flash.
    #[must_use]
    pub const fn new() -> Self {
        let mut inside = MaybeUninit::<Inside<T, B, THREADS>>::uninit();
        // SAFETY: the place of the state, inside of what is going to be returned. `Memory` is a state with
        // another name.
        unsafe { (&raw mut (*inside.as_mut_ptr()).state).cast::<Memory<T::Sizes>>().write(Memory::BLANK) };
        Kernel {
            inside: UnsafeCell::new(inside),
            contexts: [const { UnsafeCell::new(Context::NONE) }; THREADS],
        }
    }

    /// Fills the processes' memory, sets up board and protection, and lets the kernel begin.
    ///
    /// # Safety
    ///
    /// Called once, by the reset handler, in privileged thread mode on the main stack. The layout is
    /// what the builder placed: stacks and images lie in RAM that nothing else uses.
    pub unsafe fn boot(&'static self) -> ! {
        let layout = T::layout();
        architecture::guard_stack();
        layout.images.iter().for_each(fill);
        let inside = self.inside.get().cast::<Inside<T, B, THREADS>>();
        // SAFETY: nothing else runs yet, and nobody has a reference to the inside. Its state is the blank
        // memory that `new` has put there; it begins in its place, since the stack has no room for a copy.
        unsafe {
            let memory = &mut *(&raw mut (*inside).state).cast::<Memory<T::Sizes>>();
            let state = memory.begin(T::system());
            let board = B::start();
            state.record(if board.is_tracing() { Classes::RUN } else { Classes::NONE });
            (&raw mut (*inside).machine).write(Host::new(board, state.running()));
        }
        if !T::floating().is_empty() {
            floating::set_up();
        }
        protect(layout);
        registers::unmask::<B>(B::ALARM.0.into());
        // The event `Start` is handled like every other, in an exception: see `Host::event`.
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
    /// Called only by the entry code, after [`Kernel::boot`], in handler mode, with the stack pointer
    /// of the thread that called: see `entry`.
    #[inline(always)]
    pub unsafe fn call_ordinarily(&self, number: u32, fourth: u32, first: u32, second: u32, third: u32) {
        // SAFETY: boot has written the inside before it caused the first exception. Handlers never
        // nest, so this is the only reference.
        let kernel = unsafe { (*self.inside.get()).assume_init_mut() };
        let call = Call { number, arguments: [first, second, third, fourth] };
        kernel.handle_ordinarily(Registers, Event::Call(call)).unwrap_or_else(|| call_at_length(kernel))
    }

    /// Any system call.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call_ordinarily`].
    #[inline(always)]
    pub unsafe fn call(&self) {
        // SAFETY: as in `call_ordinarily`.
        let kernel = unsafe { (*self.inside.get()).assume_init_mut() };
        call_at_length(kernel)
    }

    /// An interrupt.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call_ordinarily`], with the number of the active exception.
    #[inline(always)]
    pub unsafe fn interrupt(&self, exception: u32) {
        // SAFETY: as in `call_ordinarily`.
        let kernel = unsafe { (*self.inside.get()).assume_init_mut() };
        let line = exception.wrapping_sub(16);
        // Each is a function of its own, so that none saves registers for the other.
        match line == u32::from(B::ALARM.0) {
            true => alarm_goes_off(kernel),
            false => line_is_raised(kernel, line),
        }
    }

    /// Any other exception.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call_ordinarily`], with the number of the active exception.
    #[inline(always)]
    pub unsafe fn event(&self, exception: u32, frame: *const Frame) {
        // SAFETY: as in `call_ordinarily`.
        let kernel = unsafe { (*self.inside.get()).assume_init_mut() };
        let switch = event_at_length(kernel, exception, frame);
        finish(kernel, switch)
    }
}

/// The ordinary way: what the entry code is told is made where a step ends.
#[derive(Clone, Copy)]
struct Registers;

impl Way for Registers {
    const IS_ORDINARY: bool = true;

    #[inline(always)]
    fn is_calm(self) -> bool {
        true
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Exit<T::Sizes, Host<T, B, THREADS>> for Registers {
    type Answer = ();

    #[inline(always)]
    fn stay(self) {}

    #[inline(always)]
    fn switch(self, kernel: &mut Inside<T, B, THREADS>, to: ThreadId) {
        kernel.machine.switch(to)
    }

    #[inline(always)]
    fn again(self, kernel: &mut Inside<T, B, THREADS>) {
        go_on(kernel)
    }

    #[inline(always)]
    fn give_up(self, kernel: &mut Inside<T, B, THREADS>, _error: CallError) {
        call_at_length(kernel)
    }
}

/// A system call by the way that all of them can take. What it asks for is in the caller's frame, so that
/// the short ways needn't keep it.
#[inline(never)]
fn call_at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &mut Inside<T, B, THREADS>) {
    let call = kernel.machine.call();
    let switch = kernel.handle_at_length(Event::Call(call));
    finish(kernel, switch)
}

/// The alarm.
#[inline(never)]
fn alarm_goes_off<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &mut Inside<T, B, THREADS>) {
    kernel.machine.board.acknowledge();
    kernel
        .handle_ordinarily(Registers, Event::Alarm)
        .unwrap_or_else(|| finish_interrupt(kernel, B::ALARM.0.into()))
}

/// Any other interrupt.
#[inline(never)]
fn line_is_raised<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    line: u32,
) {
    let event = Event::Interrupt(Line(line as u16));
    kernel.handle_ordinarily(Registers, event).unwrap_or_else(|| finish_interrupt(kernel, line))
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
fn interrupt_at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(
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

/// The end of a step, or what follows it.
#[inline(always)]
fn finish<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    switch: Switch,
) {
    match switch {
        Switch::Stay => {}
        Switch::To(thread) => kernel.machine.switch(thread),
        Switch::Again => go_on(kernel),
    }
}

/// Lets the kernel do steps until it is done; what has happened meanwhile is taken before each.
#[inline(never)]
fn go_on<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &mut Inside<T, B, THREADS>) {
    // step boundary
    loop {
        let switch = match kernel.machine.pending() {
            None => kernel.handle_at_length(Event::Continue),
            Some(line) => {
                kernel.machine.take(line);
                interrupt_at_length(kernel, line)
            }
        };
        match switch {
            Switch::Stay => return,
            Switch::To(thread) => return kernel.machine.switch(thread),
            Switch::Again => {}
        }
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Default for Kernel<T, B, THREADS> {
    fn default() -> Self {
        Kernel::new()
    }
}

/// Gives a process's memory its initial contents.
fn fill(image: &Image) {
    let load = core::ptr::with_exposed_provenance::<u32>(image.load as usize);
    let memory = core::ptr::with_exposed_provenance_mut::<u32>(image.address as usize);
    let words = (image.length / 4) as usize;
    for word in 0..words + (image.zeros / 4) as usize {
        // SAFETY: the builder reserved this memory for the process, and put its initial contents
        // into flash; volatile accesses keep the compiler from calling a general copy routine.
        unsafe {
            let value = if word < words { load.wrapping_add(word).read_volatile() } else { 0 };
            memory.wrapping_add(word).write_volatile(value);
        }
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
            const THREADS: usize = <<$sizes as $crate::kernel::Sizes>::Threads as $crate::kernel::Table<
                $crate::kernel::Thread,
            >>::LENGTH;

            enum Tables {}

            impl $crate::Tables for Tables {
                type Sizes = $sizes;

                #[inline(always)]
                fn system() -> &'static $crate::kernel::System<$sizes> {
                    &$system
                }

                #[inline(always)]
                fn layout() -> &'static $crate::Layout {
                    &$layout
                }
$(
                #[inline(always)]
                fn floating() -> &'static [$crate::Floating] {
                    &$floating
                }
)?            }

            impl $crate::Threads<THREADS> for Tables {
                #[inline(always)]
                fn contexts() -> &'static [core::cell::UnsafeCell<$crate::Context>; THREADS] {
                    &KERNEL.contexts
                }
            }

            static KERNEL: $crate::Kernel<Tables, $board, THREADS> = $crate::Kernel::new();

            /// The reset handler ends here.
            #[unsafe(no_mangle)]
            extern "C" fn main() -> ! {
                // SAFETY: called once, by the reset handler; the layout comes from the builder.
                unsafe { KERNEL.boot() }
            }

            $crate::abi::each_call!($crate::own_ways);

            /// Every other system call ends here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_call() {
                // SAFETY: called by the entry code only, with what `call` asks for.
                unsafe { KERNEL.call() }
            }

            /// Interrupts end here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_interrupt(exception: u32) {
                // SAFETY: called by the entry code only, with what `interrupt` asks for.
                unsafe { KERNEL.interrupt(exception) }
            }

            $crate::other_way! { Tables, $board, THREADS $(, $crashes)? }

            /// A fault of the kernel itself ends here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_fatal(exception: u32, frame: u32) -> ! {
                <$board as $crate::Board>::fatal(exception, frame)
            }
        };
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
            unsafe { KERNEL.event(exception, frame) }
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
                current = const $crate::Kernel::<$tables, $board, $threads>::CURRENT,
                kernel = sym KERNEL,
                kept = sym kept_event,
            )
        }

        extern "C" fn kept_event(exception: u32, frame: *const $crate::Frame) {
            // SAFETY: called by the entry code only, by way of `beryl_event`, with what `event` asks for.
            unsafe { KERNEL.event(exception, frame) }
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
            unsafe { KERNEL.call_ordinarily(NUMBER, fourth, first, second, third) }
        }
    };
}
