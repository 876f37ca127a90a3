//! The hatch: how a core whose threads are served by the kernel of another core asks that kernel, over memory that both see.
//!
//! One core has the threads, and one the kernel. Whatever interrupts a thread there, a call, a fault, or that the kernel beckons, is a
//! question; the answer is the thread that goes on. Each word is written by one side only.
//!
//! ```text
//!   the threads' core                            the kernel's core
//!   saves its thread's registers
//!   cause, four words              -- asked -->  takes the question: does a step for it, or not yet
//!   looks until it is answered     <-- answered  next: who goes on
//!   loads that one's registers
//!                                                an interrupt comes, and another thread is to run:
//!   comes, as with any question    <-- beckoned
//! ```
//!
//! Who asks has saved everything, and who is answered writes nothing more of it: so from a question to its answer the kernel may
//! read and change all that a thread has, as if there were one core. Otherwise the thread runs, and nobody but it changes its
//! registers and its memory.
//!
//! The kernel beckons when another thread is to run, and when it has to change what a thread may be at work with. A call that comes
//! meanwhile is a question as good as that by which the other core comes: then the kernel doesn't take the call, and it is made anew when its
//! thread runs again, since for the kernel the interrupt was there before. So there is at most one question, and nobody is asked whether
//! it was for this or for that.
//!
//! Six orders are relied on ([`Order`]). `loom` visits all interleavings in `tests/hatch_orders.rs`, with each and without.

/// How many words a question has beside its cause.
pub const WORDS: usize = 5;

/// A word of the hatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// How often was asked. The threads' core writes this one and those down to [`Fifth`](Word::Fifth).
    Asked,
    /// What has interrupted the thread: the number of an exception, by the processor's own numbers.
    Cause,
    /// Of a call, its number.
    First,
    /// And its arguments.
    Second,
    /// The second of them.
    Third,
    /// The third.
    Fourth,
    /// The fourth.
    Fifth,
    /// How often was answered. The kernel's core writes this one and the next.
    Answered,
    /// Who goes on, or went on after the last answer.
    Next,
    /// Whether whoever asked has begun anew since: the question is nobody's. The kernel's core alone needs it.
    Void,
}

impl Word {
    /// The words of a question, in their order.
    pub const QUESTION: [Word; WORDS] = [Word::First, Word::Second, Word::Third, Word::Fourth, Word::Fifth];
    /// How many words there are.
    pub const COUNT: usize = Word::Void as usize + 1;
}

/// One of both cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// That of the threads.
    Threads,
    /// That of the kernel.
    Kernel,
}

/// What has to be seen by the other core before what comes behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That the threads' core was beckoned is withdrawn, and all that it has saved and asks is there, before it has asked.
    Told,
    /// It has asked before it calls the kernel's core.
    Asked,
    /// That the kernel's core was called is withdrawn, before it looks whether there is a question.
    Withdrawn,
    /// There is a question, before it reads what it is, and anything that the thread has saved.
    Taken,
    /// All that the kernel has changed, and who goes on, is there before it has answered.
    Done,
    /// There is an answer, before the threads' core reads what it is, and what it loads.
    Heard,
}

/// The hatch as one of both cores sees it.
pub trait Hatch {
    /// A word.
    fn load(&mut self, word: Word) -> u32;
    /// Changes a word of the own side.
    fn store(&mut self, word: Word, value: u32);
    /// Nothing behind it is done before all before it is seen by both.
    fn order(&mut self, order: Order);
    /// Interrupts a core, until that is withdrawn.
    fn call(&mut self, side: Side);
    /// Withdraws that a core was called.
    fn withdraw(&mut self, side: Side);
    /// Passes the time until it is looked again.
    fn wait(&mut self) {}
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What has interrupted the thread; 0 if that has begun anew since.
    pub cause: u32,
    /// What it is about.
    pub words: [u32; WORDS],
}

/// Asks the kernel, which all that the thread has was saved for, and waits for the answer: who goes on. Takes as long as the kernel
/// needs for what it is at work with, and for the question.
#[inline(always)]
pub fn ask(hatch: &mut impl Hatch, question: Question) -> u32 {
    let asked = hatch.load(Word::Asked).wrapping_add(1);
    hatch.store(Word::Cause, question.cause);
    // One by one: compiled for size, a loop takes several times as long.
    let [first, second, third, fourth, fifth] = question.words;
    hatch.store(Word::First, first);
    hatch.store(Word::Second, second);
    hatch.store(Word::Third, third);
    hatch.store(Word::Fourth, fourth);
    hatch.store(Word::Fifth, fifth);
    hatch.order(Order::Told);
    hatch.store(Word::Asked, asked);
    hatch.order(Order::Asked);
    hatch.call(Side::Kernel);
    // bound: the steps of the kernel that come before the answer
    while hatch.load(Word::Answered) != asked {
        hatch.wait();
    }
    hatch.order(Order::Heard);
    hatch.load(Word::Next)
}

/// Withdraws that the kernel's core was called. Behind it, a question that is there is found.
#[inline(always)]
pub fn listen(hatch: &mut impl Hatch) {
    hatch.withdraw(Side::Kernel);
    hatch.order(Order::Withdrawn);
}

/// Whether the threads' core has asked and waits for the answer.
#[inline(always)]
pub fn is_asked(hatch: &mut impl Hatch) -> bool {
    hatch.load(Word::Asked) != hatch.load(Word::Answered)
}

/// The question, if there is one.
#[inline(always)]
pub fn take(hatch: &mut impl Hatch) -> Option<Question> {
    if !is_asked(hatch) {
        return None;
    }
    hatch.order(Order::Taken);
    let cause = if hatch.load(Word::Void) == 0 { hatch.load(Word::Cause) } else { 0 };
    Some(Question { cause, words: Word::QUESTION.map(|word| hatch.load(word)) })
}

/// Whoever has asked begins anew: its question is nobody's.
#[inline(always)]
pub fn void(hatch: &mut impl Hatch) {
    hatch.store(Word::Void, 1);
}

/// Answers the question that was taken: who goes on. Until the next answer, that is who has the threads' core.
#[inline(always)]
pub fn answer(hatch: &mut impl Hatch, next: u32) {
    hatch.store(Word::Void, 0);
    hatch.store(Word::Next, next);
    hatch.order(Order::Done);
    let asked = hatch.load(Word::Asked);
    hatch.store(Word::Answered, asked);
}

/// Lets the threads' core come, unless it has asked already: it will ask.
#[inline(always)]
pub fn beckon(hatch: &mut impl Hatch) {
    if !is_asked(hatch) {
        hatch.call(Side::Threads);
    }
}

/// Waits until the threads' core has asked, and so is at work with nothing: as long as it takes to come. All that its thread has saved
/// may be read and changed behind this.
#[inline(always)]
pub fn bring_in(hatch: &mut impl Hatch) {
    beckon(hatch);
    // bound: the way of the other core to its question
    while !is_asked(hatch) {
        hatch.wait();
    }
    hatch.order(Order::Taken);
}
