//! The kernel on this processor: its memory, its boot, and the loop of steps.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use beryl_kernel::{Event, Sizes, State, Switch, System, handle, handle_call};

use super::context::{Context, Frame};
use super::host::{Answer, Host, STAY};
use super::registers::{
    self, CCR, DIV_0_TRP, ENABLE_PRIVDEFENA, FAULTS_ENABLED, ICSR, MPU_CTRL, MPU_RASR, MPU_RBAR, PENDSVSET,
    SHCSR,
};
use crate::board::Board;
use crate::layout::{Image, Layout};

/// All of a kernel's memory. [`kernel!`](crate::kernel) makes one static of it.
pub struct Kernel<S: Sizes, B: Board, const THREADS: usize> {
    /// Written by [`Kernel::boot`], then changed by [`Kernel::event`].
    inside: UnsafeCell<MaybeUninit<Inside<S, B, THREADS>>>,
    /// Reached by raw pointers only: the entry code loads and saves them outside of Rust.
    contexts: [UnsafeCell<Context>; THREADS],
}

struct Inside<S: Sizes, B: Board, const THREADS: usize> {
    state: State<S>,
    host: Host<B, THREADS>,
}

// SAFETY: there is one processor, and the memory is touched by boot, which runs before any
// exception is possible, and by exception handlers, which have one priority and never nest. So
// there is never more than one place at work on it, and it needs no lock.
unsafe impl<S: Sizes, B: Board, const THREADS: usize> Sync for Kernel<S, B, THREADS> {}

impl<S: Sizes, B: Board, const THREADS: usize> Kernel<S, B, THREADS> {
    /// The memory of a kernel that hasn't been booted; all of it zero or nothing at all.
    #[must_use]
    pub const fn new() -> Self {
        Kernel {
            inside: UnsafeCell::new(MaybeUninit::uninit()),
            contexts: [const { UnsafeCell::new(Context::NONE) }; THREADS],
        }
    }

    /// Fills the processes' memory, sets up board and protection, and lets the kernel begin.
    ///
    /// # Safety
    ///
    /// Called once, by the reset handler, in privileged thread mode on the main stack. `layout` is
    /// what the builder placed: stacks and images lie in RAM that nothing else uses.
    pub unsafe fn boot(&'static self, system: &System<S>, layout: &'static Layout) -> ! {
        guard_stack();
        layout.images.iter().for_each(fill);
        let inside = self.inside.get().cast::<Inside<S, B, THREADS>>();
        // SAFETY: nothing else runs yet, and nobody has a reference to the inside. Its fields are
        // memory that nothing has been written to, which is what a `MaybeUninit` of the same type
        // is; the state is made in its place, since the stack has no room for a copy.
        unsafe {
            let state = State::new_in(&mut *(&raw mut (*inside).state).cast(), system);
            let board = B::start();
            state.tracing = board.is_tracing();
            (&raw mut (*inside).host).write(Host::new(board, layout, &self.contexts, state.running()));
        }
        protect(layout);
        registers::unmask(B::ALARM.0.into());
        // The event `Start` is handled like every other, in an exception: see `Host::event`.
        ICSR.write(PENDSVSET);
        loop {
            // SAFETY: waits for the exception that is pending already, and doesn't return.
            unsafe { asm!("dsb", "isb", options(nostack)) };
        }
    }

    /// A system call. The shortest have a way in and out of their own.
    ///
    /// # Safety
    ///
    /// Called only by the entry code, after [`Kernel::boot`], in handler mode, with the stack pointer
    /// of the thread that called: see [`Answer`].
    #[inline(always)]
    pub unsafe fn call(&self, system: &System<S>, frame: *const Frame) -> Answer {
        // SAFETY: boot has written the inside before it caused the first exception. Handlers never
        // nest, so this is the only reference.
        let Inside { state, host } = unsafe { (*self.inside.get()).assume_init_mut() };
        let call = host.call(frame);
        match handle_call(state, system, call, host) {
            Switch::Stay => STAY,
            Switch::To(thread) => host.switch(thread),
            Switch::Again => finish(state, system, host, Switch::Again),
        }
    }

    /// Any other exception.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::call`], with the number of the active exception.
    #[inline(always)]
    pub unsafe fn event(&self, system: &System<S>, exception: u32, frame: *const Frame) -> Answer {
        // SAFETY: as in `call`.
        let Inside { state, host } = unsafe { (*self.inside.get()).assume_init_mut() };
        // One call for each kind of event, so that each path has in it only what it can need.
        let switch = match host.event(exception, frame) {
            Event::Fault(fault) => handle(state, system, Event::Fault(fault), host),
            Event::Interrupt(line) => handle(state, system, Event::Interrupt(line), host),
            _ => handle(state, system, Event::Alarm, host),
        };
        finish(state, system, host, switch)
    }
}

/// Lets the kernel do steps until it is done; what has happened meanwhile is taken before each.
#[inline(never)]
fn finish<S: Sizes, B: Board, const THREADS: usize>(
    state: &mut State<S>,
    system: &System<S>,
    host: &mut Host<B, THREADS>,
    mut switch: Switch,
) -> Answer {
    // step boundary
    loop {
        match switch {
            Switch::Stay => return STAY,
            Switch::To(thread) => return host.switch(thread),
            Switch::Again => {}
        }
        switch = match host.pending() {
            None => proceed(state, system, host),
            Some(line) => match host.raised(line) {
                Event::Interrupt(line) => handle(state, system, Event::Interrupt(line), host),
                _ => handle(state, system, Event::Alarm, host),
            },
        };
    }
}

/// The next step of what is under way.
#[inline(never)]
fn proceed<S: Sizes, B: Board, const THREADS: usize>(
    state: &mut State<S>,
    system: &System<S>,
    host: &mut Host<B, THREADS>,
) -> Switch {
    handle(state, system, Event::Continue, host)
}

impl<S: Sizes, B: Board, const THREADS: usize> Default for Kernel<S, B, THREADS> {
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
    for region in layout.fixed {
        MPU_RBAR.write(region.rbar);
        MPU_RASR.write(region.rasr);
    }
    CCR.write(CCR.read() | DIV_0_TRP);
    SHCSR.write(SHCSR.read() | FAULTS_ENABLED);
}

/// Makes the 32 bytes between the kernel's variables and its stack a region that nobody may touch,
/// not even the kernel: if its stack overflows, that is a hard fault, which sees memory as it is.
fn guard_stack() {
    const GUARD_REGION: u32 = 7;
    const VALID: u32 = 1 << 4;
    const NO_ACCESS_32_BYTES: u32 = 1 << 28 | 4 << 1 | 1;
    unsafe extern "C" {
        /// The end of the kernel's variables, from the linker script.
        static __ebss: u32;
    }
    let guard = (&raw const __ebss).addr().next_multiple_of(32);
    MPU_RBAR.write(guard as u32 | VALID | GUARD_REGION);
    MPU_RASR.write(NO_ACCESS_32_BYTES);
    MPU_CTRL.write(ENABLE_PRIVDEFENA);
}

/// The kernel of one system: its memory, `main` for the reset handler, and the functions that
/// the entry code calls. `$system` and `$layout` are statics.
#[macro_export]
macro_rules! kernel {
    ($sizes:ty, $system:expr, $layout:expr, $board:ty) => {
        const _: () = {
            const THREADS: usize = <<$sizes as $crate::kernel::Sizes>::Threads as $crate::kernel::Table<
                $crate::kernel::Thread,
            >>::LENGTH;

            static KERNEL: $crate::Kernel<$sizes, $board, THREADS> = $crate::Kernel::new();

            /// The reset handler ends here.
            #[unsafe(no_mangle)]
            extern "C" fn main() -> ! {
                // SAFETY: called once, by the reset handler; the layout comes from the builder.
                unsafe { KERNEL.boot(&$system, &$layout) }
            }

            /// Every system call ends here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_call(frame: *const $crate::Frame) -> u64 {
                // SAFETY: called by the entry code only, with what `call` asks for.
                unsafe { KERNEL.call(&$system, frame) }
            }

            /// Every other exception of user mode ends here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_event(exception: u32, frame: *const $crate::Frame) -> u64 {
                // SAFETY: called by the entry code only, with what `event` asks for.
                unsafe { KERNEL.event(&$system, exception, frame) }
            }

            /// A fault of the kernel itself ends here.
            #[unsafe(no_mangle)]
            extern "C" fn beryl_fatal(exception: u32, frame: u32) -> ! {
                <$board as $crate::Board>::fatal(exception, frame)
            }
        };
    };
}
