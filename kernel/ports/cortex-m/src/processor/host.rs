//! The kernel's door to the world, on this processor.

use core::arch::asm;
use core::marker::PhantomData;

use beryl_abi::crash::{self, PIECE};
use beryl_abi::hatch;
use beryl_abi::{Fault, Instant, Line, Moment, ProcessId, Record, ThreadId};
use beryl_kernel::{Call, Event, Kernel, Machine, Piece, Switch, System};
use beryl_port::{Door, images, threads};

use super::architecture;
use super::context::{Context, Frame};
use super::floating;
use super::kernel::{Threads, interrupt_at_length};
use super::registers::{self, Causes, SLEEPDEEP};
use crate::board::{Board, Lines};
use crate::fault::Status;

unsafe extern "C" {
    /// Ends the exception with another thread than it came from; see `entry`.
    fn beryl_switch(to: *const Context, from: *mut Context);
    /// The same where threads use floating point; see `floating`.
    fn beryl_floating_switch(to: *const Context, from: *mut Context);
}

/// The exception with which boot ends.
pub const PENDSV: u32 = 14;
/// How far into a context the registers lie that a frame doesn't hold.
const REGISTERS: u32 = core::mem::offset_of!(Context, r4_to_r11) as u32;

/// The machine that the kernel runs on: the board, and the threads' registers.
pub struct Host<T: Threads<THREADS>, B: Board, const THREADS: usize> {
    pub board: B,
    tables: PhantomData<T>,
    /// The context of the thread that has the processor: its frame is where PSP points, not where
    /// this says.
    current: *mut Context,
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Host<T, B, THREADS> {
    /// How far into the host the pointer lies to the running thread's context.
    pub const CURRENT: usize = core::mem::offset_of!(Self, current);

    /// A host whose threads will all begin at their entries; `running` has the processor.
    pub fn new(board: B, running: ThreadId) -> Self {
        // No thread is the running one yet, so that all frames go into contexts.
        let mut host = Host { board, tables: PhantomData, current: core::ptr::null_mut() };
        for (index, (row, context)) in T::layout().threads.iter().zip(T::contexts()).enumerate() {
            // SAFETY: boot is the only code that runs, and no reference to a context exists.
            unsafe {
                (*context.get()).regions =
                    T::floating().get(index).map_or(&raw const row.regions, |row| &raw const row.regions);
            }
            host.restart(ThreadId(index as u8));
        }
        // The running thread's frame is where PSP points.
        host.current = host.context(running);
        host.restart(running);
        host
    }

    /// The fault behind any other exception; nothing behind the one with which boot ends.
    #[inline(always)]
    pub fn event(&mut self, exception: u32, frame: *const Frame) -> Option<Fault> {
        (exception != PENDSV).then(|| self.fault(exception, frame))
    }

    /// Takes an interrupt line that is pending. The alarm's line is a level: it is made quiet first, or it
    /// would be pending again at once.
    #[inline(never)]
    pub fn take(&mut self, line: u32) {
        if line == u32::from(B::ALARM.0) {
            self.board.acknowledge();
        }
        registers::clear::<B>(line);
    }

    /// All that the running thread has caused is told here and ends here: nothing of it is left for who runs next.
    #[cold]
    fn fault(&mut self, exception: u32, frame: *const Frame) -> Fault {
        let causes = Causes::read();
        registers::forget_faults();
        self.told(exception, causes, frame)
    }

    /// The running thread's fault, of which the registers have said this.
    #[inline(always)]
    pub fn told(&self, exception: u32, causes: Causes, frame: *const Frame) -> Fault {
        let stack = T::layout().threads.get(self.running());
        let Causes { causes, protected, bus } = causes;
        let status = Status {
            exception,
            causes,
            protected,
            bus,
            stack_pointer: frame.addr() as u32,
            stack_bottom: stack.map_or(0, |row| architecture::lowest_frame(row.stack_bottom, causes)),
            stack_top: stack.map_or(0, |row| row.stack_top),
        };
        // SAFETY: read only where the hardware has stacked a frame on the thread's stack, with the thread's own rights.
        let instruction = (!status.is_without_frame()).then(|| unsafe { (*frame).pc });
        if let Some(fault) = architecture::told(&status, instruction) {
            return fault;
        }
        // SAFETY: the processor has fetched this instruction, so it can be read.
        status.decode(instruction, |place| unsafe {
            core::ptr::with_exposed_provenance::<u16>(place as usize).read_volatile()
        })
    }

    /// The position of the thread that has the processor.
    fn running(&self) -> usize {
        threads::position::<T, THREADS>(self.current)
    }

    /// Whether a thread's frame is on its stack.
    fn has_frame(&self, thread: ThreadId) -> bool {
        let frame = self.frame(thread).addr() as u32;
        let stack = T::layout().threads.get(thread.index());
        stack.is_some_and(|row| {
            frame >= row.stack_bottom && frame.saturating_add(size_of::<Frame>() as u32) <= row.stack_top
        })
    }

    /// The frame of a thread that made a system call and hasn't run since.
    #[inline(always)]
    fn frame(&self, thread: ThreadId) -> *mut Frame {
        if B::IS_APART {
            self.stop(thread);
            // SAFETY: as below.
            return unsafe { (*self.context(thread)).frame() };
        }
        match self.context(thread) == self.current {
            true => stack_pointer(),
            // SAFETY: handlers never nest, and no reference to a context is ever kept.
            false => unsafe { (*self.context(thread)).psp },
        }
    }

    /// The frame of the running thread, which made a system call.
    #[inline(always)]
    fn caller(&self) -> *mut Frame {
        match B::IS_APART {
            false => stack_pointer(),
            // SAFETY: it waits for the answer, and no reference to a context is ever kept.
            true => unsafe { (*self.current).frame() },
        }
    }

    /// Behind this, the thread isn't at work: where another core has the threads, that core comes if it has this one.
    #[inline(always)]
    fn stop(&self, thread: ThreadId) {
        if self.is_outside(thread) {
            self.stop_all();
        }
    }

    /// Whether another core has the thread, or had it when that asked.
    #[inline(always)]
    fn is_outside(&self, thread: ThreadId) -> bool {
        B::IS_APART && super::apart::outside::<B>() == self.context(thread)
    }

    /// Behind this, no thread is at work, so what their memory has stays as it is but for the kernel.
    #[inline(always)]
    fn stop_all(&self) {
        if B::IS_APART {
            super::apart::bring_in::<B>();
        }
    }

    /// The context of the thread that is to have the processor.
    pub fn chosen(&self) -> *mut Context {
        self.current
    }

    /// The context of `thread`.
    #[inline(always)]
    fn context(&self, thread: ThreadId) -> *mut Context {
        threads::context::<T, THREADS>(thread)
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Door<T::Sizes> for Host<T, B, THREADS> {
    type Answer = ();

    #[inline(always)]
    fn stay() {}

    /// It ends the exception.
    #[inline(always)]
    fn switch(&mut self, thread: ThreadId) {
        let next = self.context(thread);
        let from = core::mem::replace(&mut self.current, next);
        // Where another core has the threads, it is told when it comes.
        if B::IS_APART {
            return;
        }
        // SAFETY: it is the last that is done, so r4 to r11 are the thread's again, which each linked kernel
        // is asked for. Both are contexts of the kernel's table, to which nobody has a reference. Only where there
        // are rows of floating point do regions lie in one.
        unsafe {
            match T::floating().is_empty() {
                true => beryl_switch(next, from),
                false => beryl_floating_switch(next, from),
            }
        }
    }

    /// The running thread's call, as the hardware has stacked it.
    #[inline(always)]
    fn call(&self, _number: u32) -> Call {
        // SAFETY: the hardware has just put the frame there, with the thread's own rights.
        let frame = unsafe { &*self.caller() };
        let [number, first, second, third] = frame.r0_to_r3;
        Call { number, arguments: [first, second, third, frame.r12] }
    }

    #[inline(always)]
    fn go_on(kernel: &mut Kernel<T::Sizes, Self>) -> Switch {
        match registers::pending_exception().checked_sub(16) {
            None => kernel.handle_at_length(Event::Continue),
            Some(line) if B::is_call(line) => {
                let bell = B::Lines::take_bell();
                registers::clear::<B>(line);
                match bell {
                    None => kernel.handle_at_length(Event::Continue),
                    Some(bell) => interrupt_at_length(kernel, bell.0.into()),
                }
            }
            Some(line) => {
                kernel.machine.take(line);
                interrupt_at_length(kernel, line)
            }
        }
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Machine<T::Sizes> for Host<T, B, THREADS> {
    #[inline(always)]
    fn system(&self) -> &'static System<T::Sizes> {
        T::system()
    }

    #[inline(always)]
    fn now(&mut self) -> Instant {
        self.board.now()
    }

    #[inline(always)]
    fn arm(&mut self, moment: Moment) {
        self.board.arm(moment);
    }

    /// Four words at a time, then word by word; at most the kernel's `CHUNK`.
    #[inline(never)]
    fn copy(&mut self, from: u32, to: u32, length: u32) {
        self.stop_all();
        // SAFETY: ranges of ports and messages are whole words of the processes' memory or of what the
        // builder reserved for mailboxes; the kernel keeps nothing of its own there.
        architecture::written(|| unsafe { copy_words(from, to, length.div_ceil(4)) });
    }

    #[inline(always)]
    fn copy_value(&mut self, from: u32, to: u32, length: u32) {
        match length {
            1..=4 => self.copy_word(from, to),
            _ => self.copy(from, to, length),
        }
    }

    #[inline(always)]
    fn copy_word(&mut self, from: u32, to: u32) {
        let word = self.load(from);
        self.store(to, word);
    }

    #[inline(always)]
    fn moment(&mut self) -> Moment {
        self.board.moment()
    }

    #[inline(always)]
    fn load(&mut self, address: u32) -> u32 {
        self.stop_all();
        // SAFETY: a word of memory that the builder reserved for what is asked about, aligned.
        unsafe { core::ptr::with_exposed_provenance::<u32>(address as usize).read_volatile() }
    }

    #[inline(always)]
    fn store(&mut self, address: u32, value: u32) {
        self.stop_all();
        // SAFETY: as in `load`; the kernel keeps nothing of its own there.
        architecture::written(|| unsafe {
            core::ptr::with_exposed_provenance_mut::<u32>(address as usize).write_volatile(value)
        });
    }

    #[inline(always)]
    fn tell(&mut self, _caller: ThreadId, status: u32) {
        // SAFETY: as in `answer`.
        unsafe { (&raw mut (*self.caller()).r0_to_r3[0]).write(status) }
    }

    #[inline(always)]
    fn answer(&mut self, _caller: ThreadId, values: [u32; 2]) {
        // SAFETY: the running thread made the call: the hardware stacked its frame with the thread's
        // own rights, and nothing has run since.
        unsafe { put(self.caller(), values) }
    }

    #[inline(always)]
    fn result(&mut self, thread: ThreadId, values: [u32; 2]) {
        // SAFETY: as in `answer`; a thread that waits hasn't run since it made its call.
        unsafe { put(self.frame(thread), values) }
    }

    #[inline(always)]
    fn deliver(&mut self, sleeper: ThreadId, values: [u32; 2]) {
        // SAFETY: as in `result`; it hasn't the processor, so its stack pointer is in its context, to which
        // nobody has a reference.
        unsafe { put((*self.context(sleeper)).psp, values) }
    }

    #[inline(always)]
    fn status(&mut self, thread: ThreadId, status: u32) {
        // SAFETY: as in `result`.
        unsafe { (&raw mut (*self.frame(thread)).r0_to_r3[0]).write(status) }
    }

    /// What was pending was forgotten when the fault came that the restart is about.
    #[inline(never)]
    fn restart(&mut self, thread: ThreadId) {
        let Some(row) = T::layout().threads.get(thread.index()) else { return };
        let top = core::ptr::with_exposed_provenance_mut::<Frame>(row.stack_top as usize);
        let frame = top.wrapping_sub(1);
        self.stop(thread);
        // SAFETY: the builder reserved the stack for this thread, which doesn't run now; its top is
        // a multiple of eight, so the frame is aligned.
        unsafe { Frame::begin(frame, row.entry) };
        if let Some(row) = T::floating().get(thread.index()) {
            floating::begin(row, self.context(thread) == self.current);
        }
        if self.is_outside(thread) {
            hatch::void(&mut B::hatch());
        }
        if self.context(thread) == self.current && !B::IS_APART {
            set_stack_pointer(frame);
        } else {
            // SAFETY: handlers never nest, and no reference to a context is ever kept.
            unsafe { (*self.context(thread)).psp = frame };
        }
    }

    fn begin_at(&mut self, thread: ThreadId, entry: u32) {
        // SAFETY: the thread was just restarted, so its frame is at the top of the stack that the builder reserved for it.
        unsafe { (&raw mut (*self.frame(thread)).pc).write(entry & !1) }
    }

    fn put_back(&mut self, process: ProcessId, piece: Piece) -> Option<Piece> {
        images::put_back(self, T::layout().images, process, piece)
    }

    /// The hardware pushed a word more where the stack pointer wasn't a multiple of eight.
    fn stack_pointer(&mut self, thread: ThreadId) -> u32 {
        const ODD: u32 = 1 << 9;
        let frame = self.frame(thread);
        let is_odd = match self.has_frame(thread) {
            // SAFETY: the frame is on the thread's stack, and the thread hasn't run since it was put there.
            true => unsafe { (*frame).xpsr & ODD != 0 },
            false => false,
        };
        let length = size_of::<Frame>() as u32 + if is_odd { 4 } else { 0 };
        (frame.addr() as u32).wrapping_add(length)
    }

    /// Where a stack has run over its end, what is told of it begins there.
    fn write_down(&mut self, thread: ThreadId, piece: u8, words: &mut [u32; PIECE]) -> u8 {
        let bottom_and_top =
            T::layout().threads.get(thread.index()).map(|row| (row.stack_bottom, row.stack_top));
        let (from, end) = match (piece, bottom_and_top) {
            (_, None) => (0, 0),
            (0, Some((_, top))) if self.has_frame(thread) => (self.frame(thread).addr() as u32, top),
            (0, _) => (0, 0),
            (1, _) => (self.context(thread).addr() as u32 + REGISTERS, u32::MAX),
            (_, Some((bottom, top))) => (crash::stack_place(piece, self.stack_pointer(thread), bottom), top),
        };
        threads::write_down(self, from, end, words)
    }

    /// A step boundary.
    #[inline(always)]
    fn is_pending(&mut self) -> bool {
        registers::is_interrupt_pending()
    }

    fn sleep(&mut self, depth: u8) {
        if B::IS_APART {
            return;
        }
        registers::SCR.write(if depth > 0 { SLEEPDEEP } else { 0 });
        self.board.sleep(depth);
    }

    fn ring(&mut self, bell: u32) {
        B::Lines::ring(bell);
    }

    fn mask(&mut self, line: Line) {
        B::Lines::mask_bell(line);
        registers::mask::<B>(line.0.into());
    }

    /// A line that was still up when it was masked has been noted as raised again. What is up now raises
    /// it anew; a pulse that came in between is lost, but where the board knows of what has pulsed.
    fn unmask(&mut self, line: Line) {
        B::Lines::unmask_bell(line);
        registers::clear::<B>(line.0.into());
        registers::unmask::<B>(line.0.into());
        if B::Lines::is_held(line) {
            registers::raise::<B>(line.0.into());
        }
    }

    fn trace(&mut self, record: Record) {
        self.board.trace(record);
    }

    fn trace_late(&mut self, record: Record, moment: Moment) {
        self.board.trace_late(record, moment);
    }
}

/// Copies words, four at a time as long as there are four.
///
/// # Safety
///
/// Both addresses are multiples of four, and `words` words from there are memory that may be read and written.
#[inline(always)]
unsafe fn copy_words(mut from: u32, mut to: u32, mut words: u32) {
    // bound: 4
    while words >= 4 {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            asm!(
                "ldm {from}!, {{r2, r3, r4, r5}}",
                "stm {to}!, {{r2, r3, r4, r5}}",
                from = inout(reg) from, to = inout(reg) to,
                out("r2") _, out("r3") _, out("r4") _, out("r5") _,
                options(nostack, preserves_flags),
            );
        }
        words -= 4;
    }
    // bound: 3
    while words > 0 {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            asm!(
                "ldr {word}, [{from}], #4",
                "str {word}, [{to}], #4",
                from = inout(reg) from, to = inout(reg) to, word = out(reg) _,
                options(nostack, preserves_flags),
            );
        }
        words -= 1;
    }
}

/// Puts the values of an answer into the registers of a frame.
///
/// # Safety
///
/// The frame is that of a thread that made a system call and hasn't run since.
#[inline(always)]
unsafe fn put(frame: *mut Frame, [first, second]: [u32; 2]) {
    // SAFETY: the caller vouches for the frame.
    unsafe {
        (&raw mut (*frame).r0_to_r3[1]).write(first);
        (&raw mut (*frame).r0_to_r3[2]).write(second);
    }
}

/// The running thread's stack pointer.
#[inline(always)]
fn stack_pointer() -> *mut Frame {
    let pointer;
    // SAFETY: reads a register.
    unsafe { asm!("mrs {}, psp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// Gives the running thread another stack pointer.
fn set_stack_pointer(frame: *mut Frame) {
    // SAFETY: the kernel itself runs on the other stack pointer.
    unsafe { asm!("msr psp, {}", in(reg) frame, options(nostack, preserves_flags)) };
}
