//! A host that does what a test says and notes what it is asked for.

use std::cell::{Cell, RefCell, UnsafeCell};

use beryl_abi::environment::Channel;
use beryl_abi::{CallNumber, Duration, Range};
use beryl_user::platform::{Host, with_host};

/// Where the memory begins.
pub const BASE: u32 = 0x2000_0000;
/// The calling thread's stack.
pub const STACK: u32 = BASE;
/// The two words at its end.
pub const WORDS: u32 = BASE + 0xF8;
/// Memory for what threads share.
pub const SHARED: u32 = BASE + 0x100;

const SIZE: u32 = 0x400;

/// What the code under test did, and what the word that is watched said then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Was about to touch something shared.
    Point(u32),
    /// Made a call.
    Call(CallNumber, [u32; 4], u32),
    /// Sent a byte.
    Transmit(u8),
    /// The test's own mark.
    Mark(&'static str),
}

/// What a call does and answers.
type Kernel = Box<dyn FnMut(&Script, CallNumber, [u32; 4]) -> [u32; 3]>;

/// The host.
pub struct Script {
    memory: Vec<UnsafeCell<u64>>,
    watched: u32,
    events: RefCell<Vec<Event>>,
    kernel: RefCell<Option<Kernel>>,
    stack: Cell<u32>,
    section: Cell<Option<u8>>,
}

impl Script {
    /// A host whose calls are answered by `kernel`. It notes what the word at `watched` says.
    pub fn new(
        watched: u32,
        kernel: impl FnMut(&Script, CallNumber, [u32; 4]) -> [u32; 3] + 'static,
    ) -> &'static Script {
        let memory = (0..SIZE / 8).map(|_| UnsafeCell::new(0)).collect();
        let kernel = RefCell::new(Some(Box::new(kernel) as Kernel));
        let stack = Cell::new(0x100);
        let section = Cell::new(None);
        Box::leak(Box::new(Script { memory, watched, events: RefCell::default(), kernel, stack, section }))
    }

    /// A host that is asked to call by mistake only.
    pub fn without_kernel(watched: u32) -> &'static Script {
        Script::new(watched, |_, number, _| panic!("nobody should call {number:?}"))
    }

    /// A host whose calls are answered in this order.
    pub fn answering<const N: usize>(watched: u32, answers: [[u32; 3]; N]) -> &'static Script {
        let mut answers = answers.into_iter();
        Script::new(watched, move |_, _, _| answers.next().expect("one call more than answers"))
    }

    /// Runs code under test, and answers its result and what it did.
    pub fn run<R>(&'static self, body: impl FnOnce() -> R) -> (R, Vec<Event>) {
        let result = with_host(self, body);
        (result, self.events.take())
    }

    pub fn word(&self, address: u32) -> u32 {
        // SAFETY: a word of the memory; the code under test runs in turn with this.
        unsafe { self.memory(address).cast::<u32>().read_volatile() }
    }

    pub fn set(&self, address: u32, word: u32) {
        // SAFETY: as above.
        unsafe { self.memory(address).cast::<u32>().write_volatile(word) }
    }

    pub fn mark(&self, mark: &'static str) {
        self.events.borrow_mut().push(Event::Mark(mark));
    }

    /// Which ceiling the thread takes for a critical section.
    pub fn set_section(&self, ceiling: Option<u8>) {
        self.section.set(ceiling);
    }

    /// Makes the thread's stack shorter.
    pub fn set_stack(&self, length: u32) {
        self.stack.set(length);
    }
}

impl Host for Script {
    fn call(&self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
        let watched = self.word(self.watched);
        self.events.borrow_mut().push(Event::Call(number, arguments, watched));
        let mut kernel = self.kernel.take().expect("a call in a call");
        let answer = kernel(self, number, arguments);
        self.kernel.replace(Some(kernel));
        answer
    }

    fn point(&self) {
        let watched = self.word(self.watched);
        self.events.borrow_mut().push(Event::Point(watched));
    }

    fn stack(&self) -> Range {
        Range::new(STACK, self.stack.get())
    }

    fn memory(&self, address: u32) -> *mut u8 {
        let offset = address.checked_sub(BASE).filter(|offset| *offset < SIZE).expect("an address in memory");
        // SAFETY: the offset lies inside the memory.
        unsafe { self.memory.as_ptr().cast_mut().cast::<u8>().add(offset as usize) }
    }

    fn transmit(&self, byte: u8) {
        self.events.borrow_mut().push(Event::Transmit(byte));
    }

    fn journal(&self) -> Option<u32> {
        None
    }

    fn section(&self) -> Option<u8> {
        self.section.get()
    }

    fn moment(&self) -> u32 {
        0
    }

    fn spend(&self, _: Duration) {
        unreachable!("not by a handle")
    }

    fn environment_read(&self, _: Channel, _: &mut [u8]) {
        unreachable!("not by a handle")
    }

    fn environment_write(&self, _: Channel, _: &[u8]) {
        unreachable!("not by a handle")
    }

    fn print(&self, _: &str) {
        unreachable!("not by a handle")
    }

    fn receive(&self) -> Option<u8> {
        None
    }

    fn panicked(&self) -> ! {
        panic!("the code under test has panicked")
    }
}
