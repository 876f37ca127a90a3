//! A kernel that has a core of its own: the core of the threads, which saves, asks and loads, and that of the kernel, which serves
//! questions and interrupts.
//!
//! Both run the same image. The core of the threads boots it, and lets the other one begin. Then its exceptions all end in [`asks`], by a
//! vector table of its own:
//!
//! ```text
//!   SVCall -> beryl_ask -------+
//!   PendSV, faults ------------+-> beryl_event: saves r4 to r11, psp -> asks -> the same thread, or beryl_go_on
//!   the kernel beckons --------+
//! ```
//! The core of the kernel takes no exception: it waits until something is pending, and does the steps that exceptions would do there.
//! The entry code for system calls is that of every kernel. It ends with a return to [`serve`], since nothing there is an exception's
//! return, and a switch only notes who is to run ([`Door::switch`](beryl_port::Door::switch)).
//!
//! A thread's registers are in its context while it doesn't run, and as long as its core asks. See [`hatch`].

use core::arch::{asm, global_asm};

use beryl_abi::hatch::{self, Hatch, Question, Side, Word};
use beryl_port::steps::{fault, start};

use super::context::{Context, Frame};
use super::host::PENDSV;
use super::kernel::{Kernel, Threads, interrupt, start_threads};
use super::registers::{self, Causes, Register};
use crate::board::{Apart, Board, Lines};

/// The exception of a system call.
const SVCALL: u32 = 11;
/// The first of those of interrupt lines; faults are below system calls.
const LINES: u32 = 16;
/// The place of the vector table.
const VTOR: Register = Register::at(0xE000_ED08);
/// How long the instruction is that makes a system call.
const CALL: u32 = 2;

unsafe extern "C" {
    /// Ends the exception with the thread of this context.
    fn beryl_go_on(to: u32);
    /// The entry of system calls.
    fn SVCall();
}

global_asm!(
    ".syntax unified",
    // Apart from the entry code: a kernel that has no core of its own hasn't it.
    ".section .text.beryl_go_on, \"ax\", %progbits",
    ".global beryl_go_on",
    ".type beryl_go_on, %function",
    ".balign 4",
    "beryl_go_on:",
    load_regions!(),
    "ldm   r0, {{r3-r11}}",
    "msr   psp, r3",
    "dsb",
    "bx    lr",
    ".balign 4",
    concat!("2: .word ", region_registers!()),
    ".size beryl_go_on, . - beryl_go_on",
);

/// What stands in a vector table.
#[derive(Clone, Copy)]
pub union Vector {
    /// A handler.
    pub handler: unsafe extern "C" fn(),
    /// Where a stack begins.
    pub stack: u32,
}

/// A vector table, where the processor can have it.
#[repr(C, align(512))]
pub struct Vectors<const LENGTH: usize>(pub [Vector; LENGTH]);

/// The context of the thread that has the threads' core, or had it when that asked.
#[inline(always)]
pub fn outside<B: Board>() -> *mut Context {
    core::ptr::with_exposed_provenance_mut(B::hatch().load(Word::Next) as usize)
}

/// Behind this, the threads' core has asked, and is at work with nothing.
#[inline(never)]
pub fn bring_in<B: Board>() {
    hatch::bring_in(&mut B::hatch());
}

/// Lets the kernel's core begin, and the threads' core come with the first question: `vectors` are the table of this core, and that of the
/// kernel's, whose reset handler ends in [`serve`].
///
/// # Safety
///
/// Called once, at the end of boot, on the threads' core.
pub unsafe fn part<T: Threads<THREADS>, B: Board, const THREADS: usize>(kernel: &Kernel<T, B, THREADS>) -> ! {
    let [own, other] = T::vectors().map(|vectors| vectors.as_ptr().addr() as u32);
    // SAFETY: boot has written the inside, and the other core hasn't begun, so this is the only reference.
    let first = unsafe { kernel.inside() }.machine.chosen();
    B::hatch().store(Word::Next, first.expose_provenance() as u32);
    VTOR.write(own);
    if let Some(called) = B::Lines::CALLED {
        registers::unmask::<B>(called.0.into());
    }
    // SAFETY: the context is written, and who saves it first must find there what it will load. The barrier changes nothing.
    unsafe {
        set_stack_pointer((*first).psp);
        asm!("dsb", options(nostack, preserves_flags));
    }
    <<B as beryl_port::Board>::Lines as Lines>::Hatch::begin(other);
    start_threads()
}

/// Asks the kernel about what has interrupted the thread, and goes on with whoever is the answer.
///
/// # Safety
///
/// Called only by the entry code of the threads' core, in handler mode, when the thread's registers are in its context; `frame` is where the
/// hardware has put the rest of them, if it has.
pub unsafe fn asks<B: Board>(cause: u32, frame: *const Frame) {
    let mut hatch = B::hatch();
    let words = match cause {
        SVCALL => {
            // SAFETY: the hardware has just put the frame there, with the thread's own rights.
            let Frame { r0_to_r3: [number, first, second, third], r12, .. } = unsafe { *frame };
            [number, first, second, third, r12]
        }
        ..SVCALL => {
            let Causes { causes, protected, bus } = Causes::read();
            registers::forget_faults();
            [causes, protected, bus, frame.addr() as u32, 0]
        }
        LINES.. => {
            hatch.withdraw(Side::Threads);
            [0; 5]
        }
        _ => [0; 5],
    };
    let own = hatch.load(Word::Next);
    let next = hatch::ask(&mut hatch, Question { cause, words });
    if next != own {
        // SAFETY: it is the last that is done, which each linked kernel is asked for; a context of the kernel's table.
        return unsafe { beryl_go_on(next) };
    }
    let own = core::ptr::with_exposed_provenance::<Context>(own as usize);
    // SAFETY: a context of the kernel's table, which doesn't write there after its answer.
    unsafe { set_stack_pointer((*own).psp) };
}

/// Serves questions and interrupts on the kernel's core, for ever.
///
/// # Safety
///
/// Called once, on the kernel's core, which [`boot_apart`] let begin, on the stack that the board has for that, with exceptions masked.
pub unsafe fn serve<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
) -> ! {
    let mut hatch = B::hatch();
    registers::unmask::<B>(B::ALARM.0.into());
    if let Some(called) = B::Lines::CALLED {
        registers::unmask::<B>(called.0.into());
    }
    // step boundary
    loop {
        match registers::pending_exception().checked_sub(LINES) {
            Some(line) if B::is_call(line) => {
                registers::clear::<B>(line);
                hatch::listen(&mut hatch);
            }
            // SAFETY: boot has written the inside, and this core alone has come here.
            Some(line) => unsafe {
                kernel.inside().machine.take(line);
                interrupt(kernel, line + LINES);
            },
            None if hatch::is_asked(&mut hatch) => {}
            // SAFETY: waits for an interrupt, which is found above: it ends the wait though it is masked.
            None => unsafe { asm!("dsb", "wfi", options(nostack, preserves_flags)) },
        }
        match hatch::take(&mut hatch) {
            // SAFETY: as above.
            Some(question) => hatch::answer(&mut hatch, unsafe { step(kernel, question) }),
            // SAFETY: as above; nothing is changed.
            None if unsafe { kernel.inside() }.machine.chosen() != outside::<B>() => {
                hatch::beckon(&mut hatch)
            }
            None => {}
        }
    }
}

/// Takes a question, if it is one of the thread that the kernel has chosen; who goes on.
///
/// # Safety
///
/// As for [`serve`].
unsafe fn step<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
    Question { cause, words }: Question,
) -> u32 {
    let outside = outside::<B>();
    // SAFETY: boot has written the inside, and this core alone has come here.
    let is_chosen = unsafe { kernel.inside() }.machine.chosen() == outside;
    match cause {
        SVCALL if is_chosen => enter(words),
        // SAFETY: the thread's core waits for the answer, and has saved all of it.
        SVCALL => unsafe { call_anew((*outside).psp) },
        // SAFETY: as above.
        PENDSV => start(unsafe { kernel.inside() }),
        // SAFETY: as above.
        1..SVCALL if is_chosen => unsafe { faulted(kernel, cause, words) },
        // SAFETY: as above.
        1..SVCALL => unsafe { (*outside).owe(cause, words) },
        _ => {}
    }
    // SAFETY: as above.
    unsafe { settle(kernel) }
}

/// Who goes on, when all have had the faults that they owe.
///
/// # Safety
///
/// As for [`serve`], while the threads' core waits for the answer.
unsafe fn settle<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
) -> u32 {
    // bound: the threads, each of which owes a fault at most
    loop {
        // SAFETY: the caller vouches for that; no reference to a context is kept.
        let chosen = unsafe { kernel.inside() }.machine.chosen();
        // SAFETY: a context of the kernel's table.
        match unsafe { (*chosen).take_fault() } {
            // SAFETY: as above.
            Some((cause, words)) => unsafe { faulted(kernel, cause, words) },
            None => return chosen.expose_provenance() as u32,
        }
    }
}

/// The way into the kernel for a system call, which leaves it by a return.
fn enter([number, first, second, third, fourth]: [u32; 5]) {
    // SAFETY: what is there are functions like others, which keep the registers that functions keep, and end where `lr` says.
    unsafe {
        asm!(
            "bl {entry}",
            entry = sym SVCall,
            inout("r0") number => _,
            inout("r1") first => _,
            inout("r2") second => _,
            inout("r3") third => _,
            inout("r12") fourth => _,
            clobber_abi("C"),
        );
    }
}

/// A fault of the thread that has the threads' core.
///
/// # Safety
///
/// As for [`serve`], with the words of that question.
#[cold]
#[inline(never)]
unsafe fn faulted<T: Threads<THREADS>, B: Board, const THREADS: usize>(
    kernel: &'static Kernel<T, B, THREADS>,
    cause: u32,
    [causes, protected, bus, frame, _]: [u32; 5],
) {
    // SAFETY: the caller vouches for that.
    let kernel = unsafe { kernel.inside() };
    let frame = core::ptr::with_exposed_provenance(frame as usize);
    let told = kernel.machine.told(cause, Causes { causes, protected, bus }, frame);
    fault(kernel, told);
}

/// The thread makes its call once more when it runs again.
///
/// # Safety
///
/// It made a call with this frame, and hasn't run since.
unsafe fn call_anew(frame: *mut Frame) {
    // SAFETY: the caller vouches for the frame.
    unsafe { (*frame).pc = (*frame).pc.wrapping_sub(CALL) };
}

/// Gives the running thread another stack pointer.
///
/// # Safety
///
/// A frame of the thread's is there.
unsafe fn set_stack_pointer(frame: *mut Frame) {
    // SAFETY: the kernel itself runs on the other stack pointer.
    unsafe { asm!("msr psp, {}", in(reg) frame, options(nostack, preserves_flags)) };
}

/// The kernel of one system that has a core of its own; as [`kernel!`](crate::kernel).
#[macro_export]
macro_rules! kernel_apart {
    ($sizes:ty, $system:expr, $layout:expr, $board:ty) => {
        const _: () = {
            $crate::common::hosted! { $crate, $sizes, $system, $layout, $board }
            $crate::entered! { $board }

            impl $crate::Threads<THREADS> for Tables {
                #[inline(always)]
                fn vectors() -> [&'static [$crate::Vector]; 2] {
                    [&THREADS_CORE.0, &KERNELS_CORE.0]
                }
            }

            type Hatch = <<$board as $crate::common::Board>::Lines as $crate::Lines>::Hatch;

            unsafe extern "C" {
                fn HardFault();
                fn MemoryManagement();
                fn BusFault();
                fn UsageFault();
                fn PendSV();
            }

            const END: $crate::Vector = $crate::Vector { handler: HardFault };

            /// The exceptions of the threads' core.
            static THREADS_CORE: $crate::Vectors<{ 16 + <$board as $crate::Board>::LINES as usize }> = {
                let mut vectors = [$crate::Vector { handler: $crate::DefaultHandler }; _];
                let mut own = 0;
                // bound: 16
                while own < 16 {
                    vectors[own] = END;
                    own += 1;
                }
                vectors[4] = $crate::Vector { handler: MemoryManagement };
                vectors[5] = $crate::Vector { handler: BusFault };
                vectors[6] = $crate::Vector { handler: UsageFault };
                vectors[11] = $crate::Vector { handler: ask };
                vectors[14] = $crate::Vector { handler: PendSV };
                $crate::Vectors(vectors)
            };

            /// The kernel's core begins with these, and takes no exception but its own end.
            static KERNELS_CORE: $crate::Vectors<16> = {
                let mut vectors = [END; 16];
                vectors[0] = $crate::Vector { stack: <Hatch as $crate::Apart>::STACK[0] };
                vectors[1] = $crate::Vector { handler: begin };
                $crate::Vectors(vectors)
            };

            /// System calls of the threads' core.
            #[unsafe(export_name = "beryl_ask")]
            #[unsafe(naked)]
            unsafe extern "C" fn ask() {
        core::arch::naked_asm!("mrs   r0, ipsr", "mrs   r1, psp", "b.w   {event}", event = sym event)
            }

            /// The kernel beckons.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            extern "C" fn beryl_interrupt(exception: u32) {
        core::arch::naked_asm!("mrs   r1, psp", "b.w   {event}", event = sym event)
            }

            /// All exceptions of the threads' core end here: r0 has the exception's number, r1 the place of the frame. The registers that
            /// the exception hasn't stacked go into the context of whoever has that core.
            #[unsafe(export_name = "beryl_event")]
            #[unsafe(naked)]
            extern "C" fn event(exception: u32, frame: *const $crate::Frame) {
                core::arch::naked_asm!(
                    "movw  r2, #{low}",
                    "movt  r2, #{high}",
                    "ldr   r2, [r2]",
                    "mrs   r3, psp",
                    "stm   r2, {{r3-r11}}",
                    "b.w   {asks}",
                    low = const <Hatch as $crate::Apart>::NEXT & 0xFFFF,
                    high = const <Hatch as $crate::Apart>::NEXT >> 16,
                    asks = sym asks,
                )
            }

            extern "C" fn asks(exception: u32, frame: *const $crate::Frame) {
                // SAFETY: called by the entry code only, by way of `event`, with what that asks for.
                unsafe { $crate::asks::<$board>(exception, frame) }
            }

            /// The kernel's core begins: no exception is taken, and its stack has a limit.
            #[unsafe(naked)]
            unsafe extern "C" fn begin() {
                core::arch::naked_asm!(
                    "cpsid i",
                    "movw  r0, #{low}",
                    "movt  r0, #{high}",
                    "msr   msplim, r0",
                    "bl    {serve}",
                    low = const <Hatch as $crate::Apart>::STACK[1] & 0xFFFF,
                    high = const <Hatch as $crate::Apart>::STACK[1] >> 16,
                    serve = sym serve,
                )
            }

            extern "C" fn serve() -> ! {
                // SAFETY: called once, by `begin`, on the stack that the board has for that.
                unsafe { $crate::serve(&KERNEL) }
            }
        };
    };
}
