//! The kernel's door to the world, on this processor.

use core::marker::PhantomData;

use beryl_abi::crash::{self, PIECE};
use beryl_abi::{Fault, Instant, Line, Moment, ProcessId, Record, ThreadId};
use beryl_kernel::{Call, Event, Kernel, Machine, Piece, Switch, System};
use beryl_port::steps::interrupt_at_length;
use beryl_port::{Door, images, threads};

use super::context::{A0, Context, PC, RA, SP, WRITTEN_DOWN};
use super::kernel::Threads;
use super::registers::{self, TIMER};
use crate::board::{Board, Controller};
use crate::fault::Status;
use crate::pmp::Access;

/// The answer of a step after which the same thread goes on: the entry code knows whose registers it has kept.
pub const STAYS: *mut Context = core::ptr::null_mut();

/// The machine that the kernel runs on: the board, and the threads' registers.
pub struct Host<T: Threads<THREADS>, B: Board, const THREADS: usize> {
    pub board: B,
    tables: PhantomData<T>,
    /// The context of the thread that has the processor.
    current: *mut Context,
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Host<T, B, THREADS> {
    /// A host whose threads will all begin at their entries; `running` has the processor.
    pub fn new(board: B, running: ThreadId) -> Self {
        let mut host = Host { board, tables: PhantomData, current: core::ptr::null_mut() };
        for (index, (row, context)) in T::layout().threads.iter().zip(T::contexts()).enumerate() {
            // SAFETY: boot is the only code that runs, and no reference to a context exists.
            unsafe { (*context.get()).regions = &row.regions };
            host.restart(ThreadId(index as u8));
        }
        host.current = host.context(running);
        host
    }

    /// The context of the thread that has the processor.
    #[inline(always)]
    pub fn current(&self) -> *mut Context {
        self.current
    }

    /// Takes what is pending, the alarm first.
    #[inline(always)]
    fn take(&mut self) -> Event {
        let pending = registers::pending();
        if pending >> TIMER & 1 != 0 {
            self.board.acknowledge();
            return Event::Alarm;
        }
        let line = if pending == 0 { None } else { self.board.lines().claim() };
        line.map_or(Event::Continue, Event::Interrupt)
    }

    /// What the running thread has done that ends here.
    #[cold]
    pub fn fault(&mut self, cause: u32, value: u32) -> Fault {
        let layout = T::layout();
        let row = layout.threads.get(threads::position::<T, THREADS>(self.current));
        let status = Status {
            cause,
            value,
            instruction: self.word(self.current, PC),
            stack_pointer: self.word(self.current, SP),
            stack_bottom: row.map_or(0, |row| row.stack_bottom),
        };
        let access = status.is_write().map(|is_write| if is_write { Access::Write } else { Access::Read });
        let is_let =
            row.zip(access).is_some_and(|(row, access)| row.regions.lets(&layout.fixed, value, access));
        // SAFETY: the processor has fetched this instruction, so both halves can be read if it has two.
        status.decode(is_let, |place| unsafe {
            let half = core::ptr::with_exposed_provenance::<u16>(place as usize);
            let low = u32::from(half.read_volatile());
            let is_long = low & 0b11 == 0b11;
            if is_long { low | u32::from(half.add(1).read_volatile()) << 16 } else { low }
        })
    }

    /// A register of a thread.
    #[inline(always)]
    fn word(&self, context: *mut Context, place: usize) -> u32 {
        // SAFETY: a context of the table; traps never nest, and no reference to one is ever kept.
        unsafe { (&raw const (*context).registers[place]).read() }
    }

    /// Changes a register of a thread.
    #[inline(always)]
    fn put(&mut self, context: *mut Context, place: usize, word: u32) {
        // SAFETY: as in `word`.
        unsafe { (&raw mut (*context).registers[place]).write(word) }
    }

    /// The context of `thread`.
    #[inline(always)]
    fn context(&self, thread: ThreadId) -> *mut Context {
        threads::context::<T, THREADS>(thread)
    }
}

impl<T: Threads<THREADS>, B: Board, const THREADS: usize> Door<T::Sizes> for Host<T, B, THREADS> {
    /// The context with which the trap ends.
    type Answer = *mut Context;

    #[inline(always)]
    fn stay() -> *mut Context {
        STAYS
    }

    #[inline(always)]
    fn switch(&mut self, thread: ThreadId) -> *mut Context {
        self.current = self.context(thread);
        self.current
    }

    #[inline(always)]
    fn call(&self, number: u32) -> Call {
        Call { number, arguments: core::array::from_fn(|place| self.word(self.current, A0 + 1 + place)) }
    }

    #[inline(always)]
    fn go_on(kernel: &mut Kernel<T::Sizes, Self>) -> Switch {
        match kernel.machine.take() {
            Event::Alarm => interrupt_at_length(kernel, None),
            Event::Interrupt(line) => interrupt_at_length(kernel, Some(line)),
            other => kernel.handle_at_length(other),
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
    fn moment(&mut self) -> Moment {
        self.board.moment()
    }

    #[inline(always)]
    fn arm(&mut self, moment: Moment) {
        self.board.arm(moment);
    }

    /// Word by word; at most the kernel's `CHUNK`.
    #[inline(never)]
    fn copy(&mut self, from: u32, to: u32, length: u32) {
        // bound: 16, the words of a chunk
        for word in (0..length.div_ceil(4)).take(16) {
            let offset = word.wrapping_mul(4);
            self.copy_word(from.wrapping_add(offset), to.wrapping_add(offset));
        }
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
    fn load(&mut self, address: u32) -> u32 {
        // SAFETY: a word of memory that the builder reserved for what is asked about, aligned.
        unsafe { core::ptr::with_exposed_provenance::<u32>(address as usize).read_volatile() }
    }

    #[inline(always)]
    fn store(&mut self, address: u32, value: u32) {
        // SAFETY: as in `load`; the kernel keeps nothing of its own there.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(address as usize).write_volatile(value) }
    }

    #[inline(always)]
    fn tell(&mut self, _caller: ThreadId, status: u32) {
        self.put(self.current, A0, status);
    }

    #[inline(always)]
    fn answer(&mut self, _caller: ThreadId, [first, second]: [u32; 2]) {
        self.put(self.current, A0 + 1, first);
        self.put(self.current, A0 + 2, second);
    }

    #[inline(always)]
    fn result(&mut self, thread: ThreadId, [first, second]: [u32; 2]) {
        let context = self.context(thread);
        self.put(context, A0 + 1, first);
        self.put(context, A0 + 2, second);
    }

    #[inline(always)]
    fn status(&mut self, thread: ThreadId, status: u32) {
        self.put(self.context(thread), A0, status);
    }

    /// It has nowhere to return to: the value of its return address is no address that can be executed.
    #[inline(never)]
    fn restart(&mut self, thread: ThreadId) {
        let Some(row) = T::layout().threads.get(thread.index()) else { return };
        let context = self.context(thread);
        self.put(context, PC, row.entry);
        self.put(context, RA, !1);
        self.put(context, SP, row.stack_top & !15);
    }

    fn begin_at(&mut self, thread: ThreadId, entry: u32) {
        registers::fetch_anew();
        self.put(self.context(thread), PC, entry);
    }

    fn put_back(&mut self, process: ProcessId, piece: Piece) -> Option<Piece> {
        images::put_back(self, T::layout().images, process, piece)
    }

    fn stack_pointer(&mut self, thread: ThreadId) -> u32 {
        self.word(self.context(thread), SP)
    }

    /// All registers lie in the thread's context; those that a function leaves alone were put there by `beryl_fault`.
    fn write_down(&mut self, thread: ThreadId, piece: u8, words: &mut [u32; PIECE]) -> u8 {
        let row = T::layout().threads.get(thread.index());
        if let Some(places) = WRITTEN_DOWN.get(usize::from(piece)).filter(|_| row.is_some()) {
            let registers = self.context(thread).addr() as u32;
            // bound: 8, `PIECE`
            for (word, place) in words.iter_mut().zip(places) {
                *word = self.load(registers.wrapping_add(u32::from(*place).wrapping_mul(4)));
            }
            return PIECE as u8;
        }
        // Who is no thread has no stack of which anything could be written down.
        let (bottom, top) = row.map_or((0, 0), |row| (row.stack_bottom, row.stack_top));
        let place = crash::stack_place(piece, self.stack_pointer(thread), bottom);
        threads::write_down(self, place, top, words)
    }

    #[inline(always)]
    fn is_pending(&mut self) -> bool {
        registers::is_pending()
    }

    fn ring(&mut self, bell: u32) {
        self.board.lines().ring(bell);
    }

    fn mask(&mut self, line: Line) {
        self.board.lines().mask(line);
    }

    fn unmask(&mut self, line: Line) {
        self.board.lines().unmask(line);
    }

    fn trace(&mut self, record: Record) {
        self.board.trace(record);
    }

    fn trace_late(&mut self, record: Record, moment: Moment) {
        self.board.trace_late(record, moment);
    }
}
