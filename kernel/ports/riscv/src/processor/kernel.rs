//! The kernel on this processor: its memory, its boot, and the loop of steps.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use beryl_abi::{CallError, Classes, ThreadId};
use beryl_kernel::{Call, Event, Exit, Memory, Switch, Way};

use super::context::Context;
use super::host::{Host, Pending};
use super::registers::{self, TIMER};
use crate::board::Board;
use crate::layout::{Image, Layout, Tables};
use crate::pmp::guard;

unsafe extern "C" {
    /// Lets the thread of a context run, from boot; see `entry`.
    fn beryl_resume(context: *mut Context) -> !;
    /// The end of the kernel's variables, from the linker script.
    static __ebss: u32;
}

/// The answer of a step after which the same thread goes on: the entry code knows whose registers it has kept.
const STAYS: *mut Context = core::ptr::null_mut();

/// The tables of an image, and the registers of its threads.
pub trait Threads<const THREADS: usize>: Tables {
    /// What the port keeps of the threads, in the order of the kernel's table.
    fn contexts() -> &'static [UnsafeCell<Context>; THREADS];
}

/// All of a kernel's memory. [`kernel!`](crate::kernel) makes one static of it.
#[repr(C)]
pub struct Kernel<T: Threads<THREADS>, B: Board, const THREADS: usize> {
    /// The state in it is blank from the start on, the door isn't; [`Kernel::boot`] makes both.
    inside: UnsafeCell<MaybeUninit<Inside<T, B, THREADS>>>,
    /// Reached by raw pointers only: the entry code loads and saves them outside of Rust.
    pub contexts: [UnsafeCell<Context>; THREADS],
}

type Inside<T, B, const THREADS: usize> = beryl_kernel::Kernel<<T as Tables>::Sizes, Host<T, B, THREADS>>;

// SAFETY: there is one processor, and the memory is touched by boot, which runs before any trap is possible, and by
// traps, which never nest. So there is never more than one place at work on it, and it needs no lock.
unsafe impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Sync for Kernel<T, B, THREADS> {}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Kernel<T, B, THREADS> {
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

    /// Fills the processes' memory, sets up board and protection, lets the kernel begin, and becomes the first thread.
    ///
    /// # Safety
    ///
    /// Called once, by the reset code, in machine mode on the kernel's stack. The layout is what the builder placed:
    /// stacks and images lie in RAM that nothing else uses.
    pub unsafe fn boot(&'static self) -> ! {
        let layout = T::layout();
        protect(layout);
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
        registers::enable_interrupts();
        // SAFETY: all of the inside has just been written.
        let kernel = unsafe { &mut *inside };
        let switch = kernel.handle_at_length(Event::Start);
        let next = finish(kernel, switch);
        let first = if next == STAYS { kernel.machine.current() } else { next };
        // SAFETY: a context of the table, of a thread that begins at its entry.
        unsafe { beryl_resume(first) }
    }

    /// A system call. `number` is a constant where this is called for a call with a way of its own, so that nothing of
    /// the others is on its way.
    ///
    /// # Safety
    ///
    /// Called only by the entry code, after [`Kernel::boot`].
    #[inline(always)]
    pub unsafe fn call(&self, number: u32, arguments: [u32; 4]) -> *mut Context {
        let event = Event::Call(Call { number, arguments });
        // SAFETY: traps never nest, so this is the only reference.
        unsafe { self.event(event) }
    }

    /// Any call for which there is no way of its own.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call`].
    #[inline(always)]
    pub unsafe fn call_at_length(&self) -> *mut Context {
        // SAFETY: as in `inside`.
        let kernel = unsafe { self.inside() };
        call_at_length(kernel)
    }

    /// An interrupt, with its cause.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call`].
    #[inline(always)]
    pub unsafe fn interrupt(&self, cause: u32) -> *mut Context {
        // SAFETY: as in `inside`.
        let kernel = unsafe { self.inside() };
        if cause & 0xFF == TIMER {
            kernel.machine.board.acknowledge();
            // SAFETY: as for this function; the reference isn't used again.
            return unsafe { self.event(Event::Alarm) };
        }
        match kernel.machine.board.claim() {
            // SAFETY: likewise.
            Some(line) => unsafe { self.event(Event::Interrupt(line)) },
            None => STAYS,
        }
    }

    /// Any other trap of user mode, with its cause and what belongs to it.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call`].
    #[inline(always)]
    pub unsafe fn fault(&self, cause: u32, value: u32) -> *mut Context {
        // SAFETY: as in `inside`.
        let kernel = unsafe { self.inside() };
        let fault = kernel.machine.fault(cause, value);
        at_length(kernel, Event::Fault(fault))
    }

    /// An event that can often be done at once.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call`].
    #[inline(always)]
    unsafe fn event(&self, event: Event) -> *mut Context {
        // SAFETY: as in `inside`.
        let kernel = unsafe { self.inside() };
        match kernel.handle_ordinarily(Leave, event) {
            Some(next) => next,
            None => at_length(kernel, event),
        }
    }

    /// What boot has written.
    ///
    /// # Safety
    ///
    /// Called in a trap, after [`Kernel::boot`], while no other reference is in use.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "there is one at a time")]
    unsafe fn inside(&self) -> &mut Inside<T, B, THREADS> {
        // SAFETY: boot has written the inside before the first trap. Traps never nest, so this is the only reference.
        unsafe { (*self.inside.get()).assume_init_mut() }
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Default for Kernel<T, B, THREADS> {
    fn default() -> Self {
        Kernel::new()
    }
}

/// The ordinary way: it answers whose registers are loaded next.
#[derive(Clone, Copy)]
struct Leave;

impl Way for Leave {
    const IS_ORDINARY: bool = true;

    #[inline(always)]
    fn is_calm(self) -> bool {
        true
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Exit<T::Sizes, Host<T, B, THREADS>> for Leave {
    type Answer = *mut Context;

    #[inline(always)]
    fn stay(self) -> *mut Context {
        STAYS
    }

    #[inline(always)]
    fn switch(self, kernel: &mut Inside<T, B, THREADS>, to: ThreadId) -> *mut Context {
        kernel.machine.switch(to)
    }

    #[inline(always)]
    fn again(self, kernel: &mut Inside<T, B, THREADS>) -> *mut Context {
        go_on(kernel)
    }

    #[inline(always)]
    fn give_up(self, kernel: &mut Inside<T, B, THREADS>, _error: CallError) -> *mut Context {
        call_at_length(kernel)
    }
}

/// A call by the way that all of them can take. What it asks for is in the caller's registers.
#[inline(never)]
fn call_at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
) -> *mut Context {
    let call = kernel.machine.call();
    at_length(kernel, Event::Call(call))
}

/// An event by the way that all of them can take, and what follows it.
#[inline(never)]
fn at_length<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    event: Event,
) -> *mut Context {
    let switch = kernel.handle_at_length(event);
    finish(kernel, switch)
}

/// The end of a step, or what follows it; answers whose registers are loaded next.
#[inline(always)]
fn finish<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
    switch: Switch,
) -> *mut Context {
    match switch {
        Switch::Stay => STAYS,
        Switch::To(thread) => kernel.machine.switch(thread),
        Switch::Again => go_on(kernel),
    }
}

/// Lets the kernel do steps until it is done; what has happened meanwhile is taken before each.
#[inline(never)]
fn go_on<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &mut Inside<T, B, THREADS>,
) -> *mut Context {
    // step boundary
    loop {
        let event = match kernel.machine.take() {
            None => Event::Continue,
            Some(Pending::Alarm) => Event::Alarm,
            Some(Pending::Line(line)) => Event::Interrupt(line),
        };
        match kernel.handle_at_length(event) {
            Switch::Stay => return STAYS,
            Switch::To(thread) => return kernel.machine.switch(thread),
            Switch::Again => {}
        }
    }
}

/// Gives a process's memory its initial contents.
fn fill(image: &Image) {
    let load = with_exposed_provenance::<u32>(image.load as usize);
    let memory = with_exposed_provenance_mut::<u32>(image.address as usize);
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
            }

            impl $crate::Threads<THREADS> for Tables {
                #[inline(always)]
                fn contexts() -> &'static [core::cell::UnsafeCell<$crate::Context>; THREADS] {
                    &KERNEL.contexts
                }
            }

            static KERNEL: $crate::Kernel<Tables, $board, THREADS> = $crate::Kernel::new();

            /// The reset code ends here.
            #[unsafe(no_mangle)]
            extern "C" fn main() -> ! {
                // SAFETY: called once, by the reset code; the layout comes from the builder.
                unsafe { KERNEL.boot() }
            }

            $crate::abi::each_call!($crate::own_ways);

            /// Every other system call comes here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_call() -> *mut $crate::Context {
                // SAFETY: called by the entry code only.
                unsafe { KERNEL.call_at_length() }
            }

            /// Interrupts come here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_interrupt(cause: u32) -> *mut $crate::Context {
                // SAFETY: called by the entry code only.
                unsafe { KERNEL.interrupt(cause) }
            }

            $crate::fault_way! { $($crashes)? }

            /// A trap of the kernel itself comes here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_fatal(cause: u32, instruction: u32) -> ! {
                <$board as $crate::Board>::fatal(cause, instruction)
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
            unsafe { KERNEL.fault(cause, value) }
        }
    };
    (crashes) => {
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        extern "C" fn beryl_fault(cause: u32, value: u32) -> *mut $crate::Context {
            core::arch::naked_asm!(
                // The word at the top of the kernel's stack is the thread's context.
                "lw    t0, 0(sp)",
                "sw    s0, 32(t0)",
                "sw    s1, 36(t0)",
                "sw    s2, 72(t0)",
                "sw    s3, 76(t0)",
                "sw    s4, 80(t0)",
                "sw    s5, 84(t0)",
                "j     {kept}",
                kept = sym kept_fault,
            )
        }

        extern "C" fn kept_fault(cause: u32, value: u32) -> *mut $crate::Context {
            // SAFETY: called by the entry code only, by way of `beryl_fault`.
            unsafe { KERNEL.fault(cause, value) }
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
            unsafe { KERNEL.call(NUMBER, [first, second, third, fourth]) }
        }
    };
}
