//! The check's states, in words of the caller's memory: triggers, jobs, and the places at which threads may
//! stand.
//!
//! ```text
//!   now (2), changes of mode (1), number of triggers (1), a bit for each task that threads dispatch
//!   triggers, 2 words each: ticks from now; phase, program, address
//!   if there are rounds, a word for each program: its position in the round
//!   tasks, 3 words each: what may be left; when that is due, in ticks from now; thread and marks
//!   places, 3 words each, and a word and a bit for each task: thread, address, age; what may be left, is certain;
//!     if threads wait for events, one more: when it may have been woken, which is 0 at instants
//! ```
//!
//! All times but `now` count from now, so two states with otherwise equal words have the same future.

/// No thread, no task.
pub(super) const NOBODY: u8 = u8::MAX;
/// Words before the bits of dispatched tasks.
pub(super) const HEAD: usize = 4;
/// The words of `now`: the only ones in which states with the same future may differ.
pub(super) const NOW: usize = 2;
pub(super) const JOB: usize = 3;
pub(super) const PLACE: usize = 3;
const TRIGGER: usize = 2;

/// The mark of a job that no thread can have run.
pub(super) const FRESH: u32 = 1 << 8;

/// What a thread does at a place where it may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Wait {
    /// Nothing: there is no such place.
    Free = 0,
    /// It goes on at this instant, or between two instants when its event has come.
    Go = 1,
    /// It holds its task at the next instant.
    Held = 2,
    /// It holds its task.
    Dispatch = 3,
    /// It idles.
    Idle = 4,
    /// It goes on at the next instant, after the triggers, and holds its task until then, if it has one.
    Due = 5,
    /// It has ended, perhaps before its jobs.
    Ended = 6,
    /// It is being followed to the next instant.
    Walk = 7,
}

const WAITS: [Wait; 8] =
    [Wait::Free, Wait::Go, Wait::Held, Wait::Dispatch, Wait::Idle, Wait::Due, Wait::Ended, Wait::Walk];

/// A place where a thread may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub wait: Wait,
    /// The task that it holds.
    pub task: u8,
    pub address: u16,
    /// The thread: its places exclude each other. A thread that another begins in its own place counts as the
    /// same.
    pub thread: u8,
    pub program: u8,
    /// Whether it is still to be compared with others.
    pub is_new: bool,
    /// The time since its reference time.
    pub age: u32,
}

impl Head {
    /// Whether two places are the same, apart from what may be left.
    pub fn is_like(&self, other: &Head) -> bool {
        *self == Head { is_new: self.is_new, ..*other }
    }
}

/// A trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trigger {
    /// This many ticks from now.
    pub due: u32,
    pub phase: u8,
    pub program: u8,
    pub address: u16,
}

/// The size of a state, and where its parts are. A half-word can count its words, whatever the number of
/// tasks, triggers and places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub tasks: u8,
    pub triggers: u16,
    pub places: u8,
    /// How many programs store a position in their round: none or all.
    rounds: u8,
    /// Whether threads wait for events.
    pub has_events: bool,
    /// The first words of the jobs and of the places, the words of a place, and of all.
    jobs_at: u16,
    places_at: u16,
    place_words: u16,
    all_words: u16,
}

impl Shape {
    /// The shape for these numbers of tasks, triggers, rounds, and places, at most 32.
    pub fn new(tasks: u8, triggers: u16, rounds: u8, places: u8, has_events: bool) -> Shape {
        let (count, bits) = (u16::from(tasks), u16::from(tasks.div_ceil(32)));
        let jobs_at = (HEAD as u16 + bits).saturating_add(triggers.saturating_mul(TRIGGER as u16));
        let jobs_at = jobs_at.saturating_add(rounds.into());
        let places_at = jobs_at.saturating_add(JOB as u16 * count);
        let place_words = PLACE as u16 + count + bits + u16::from(has_events);
        let all_words = places_at.saturating_add(place_words * u16::from(places.min(32)));
        Shape { tasks, triggers, places, rounds, has_events, jobs_at, places_at, place_words, all_words }
    }

    /// The words with a bit for each task.
    pub fn bits(&self) -> usize {
        usize::from(self.tasks.div_ceil(32))
    }

    fn triggers(&self) -> usize {
        HEAD + self.bits()
    }

    pub fn jobs(&self) -> usize {
        self.jobs_at.into()
    }

    /// The word of a program's position in its round, if there are rounds.
    fn round(&self, program: u8) -> Option<usize> {
        let before = self.rounds.checked_sub(program).filter(|before| *before > 0)?;
        Some(self.jobs() - usize::from(before))
    }

    pub fn places(&self) -> usize {
        self.places_at.into()
    }

    /// The words of a place.
    pub fn place(&self) -> usize {
        self.place_words.into()
    }

    /// The words of a state.
    pub fn words(&self) -> usize {
        self.all_words.into()
    }
}

/// States one after the other; the first is the live one.
pub(super) struct State<'m> {
    pub shape: Shape,
    words: &'m mut [u32],
}

impl<'m> State<'m> {
    pub fn new(shape: Shape, words: &'m mut [u32]) -> State<'m> {
        State { shape, words }
    }

    pub fn word(&self, index: usize) -> u32 {
        self.words.get(index).copied().unwrap_or_default()
    }

    pub fn set_word(&mut self, index: usize, value: u32) {
        if let Some(word) = self.words.get_mut(index) {
            *word = value;
        }
    }

    /// How many states there are besides the live one.
    pub fn slots(&self) -> u8 {
        let states = self.words.len() / self.shape.words().max(1);
        states.saturating_sub(1).min(32) as u8
    }

    /// The index of a word of one of those.
    pub fn stored(&self, slot: u8, word: usize) -> usize {
        (usize::from(slot) + 1) * self.shape.words() + word
    }

    pub fn now(&self) -> u64 {
        self.instant(0)
    }

    /// The `now` of the state that begins at a word.
    pub fn instant(&self, base: usize) -> u64 {
        u64::from(self.word(base)) | u64::from(self.word(base + 1)) << 32
    }

    pub fn set_now(&mut self, now: u64) {
        self.set_word(0, now as u32);
        self.set_word(1, (now >> 32) as u32);
    }

    /// Whether a program has changed its mode at this instant.
    pub fn has_changed(&self, program: u8) -> bool {
        self.word(2) >> (program & 31) & 1 == 1
    }

    pub fn set_changed(&mut self, program: u8) {
        self.set_word(2, self.word(2) | 1 << (program & 31));
    }

    pub fn forget_changes(&mut self) {
        self.set_word(2, 0);
    }

    /// A program's position in its round.
    pub fn position(&self, program: u8) -> u32 {
        self.shape.round(program).map_or(0, |index| self.word(index))
    }

    pub fn set_position(&mut self, program: u8, position: u32) {
        if let Some(index) = self.shape.round(program) {
            self.set_word(index, position);
        }
    }

    pub fn trigger_count(&self) -> usize {
        self.word(3) as usize
    }

    pub fn trigger(&self, index: usize) -> Trigger {
        let base = self.shape.triggers() + TRIGGER * index;
        let (due, rest) = (self.word(base), self.word(base + 1));
        Trigger { due, phase: (rest >> 24) as u8, program: (rest >> 16) as u8, address: rest as u16 }
    }

    pub fn set_trigger(&mut self, index: usize, trigger: Trigger) {
        let Trigger { due, phase, program, address } = trigger;
        let rest = u32::from(phase) << 24 | u32::from(program) << 16 | u32::from(address);
        let base = self.shape.triggers() + TRIGGER * index;
        self.set_word(base, due);
        self.set_word(base + 1, rest);
    }

    /// Returns whether there was a place.
    pub fn add_trigger(&mut self, trigger: Trigger) -> bool {
        let count = self.trigger_count();
        if count >= usize::from(self.shape.triggers) {
            return false;
        }
        self.set_trigger(count, trigger);
        self.set_word(3, count as u32 + 1);
        true
    }

    /// Removes a trigger; those behind it move up, so that they stay in the order of their setting.
    pub fn remove_trigger(&mut self, index: usize) {
        let count = self.trigger_count();
        // bound: TRIGGERS
        for place in index + 1..count {
            self.set_trigger(place - 1, self.trigger(place));
        }
        let last = count.saturating_sub(1);
        self.set_trigger(last, Trigger { due: 0, phase: 0, program: 0, address: 0 });
        self.set_word(3, last as u32);
    }

    fn job(&self, task: u8, field: usize) -> usize {
        self.shape.jobs() + JOB * usize::from(task) + field
    }

    /// What may be left of a job that no thread dispatches.
    pub fn job_left(&self, task: u8) -> u32 {
        self.word(self.job(task, 0))
    }

    pub fn set_job_left(&mut self, task: u8, left: u32) {
        self.set_word(self.job(task, 0), left);
    }

    /// When it is due, in ticks from now.
    pub fn due(&self, task: u8) -> i32 {
        self.word(self.job(task, 1)) as i32
    }

    pub fn set_due(&mut self, task: u8, due: i32) {
        self.set_word(self.job(task, 1), due as u32);
    }

    /// The thread that dispatches a task.
    pub fn owner(&self, task: u8) -> u8 {
        (self.word(self.job(task, 2)) as u8).wrapping_sub(1)
    }

    pub fn set_owner(&mut self, task: u8, owner: u8) {
        let index = self.job(task, 2);
        self.set_word(index, self.word(index) & !0xFF | u32::from(owner.wrapping_add(1)));
    }

    /// No thread dispatches a task any more; only these marks are known of it.
    pub fn set_marks(&mut self, task: u8, marks: u32) {
        self.set_word(self.job(task, 2), marks);
    }

    /// Whether a task is released and no thread can have run it yet.
    pub fn is_fresh(&self, task: u8) -> bool {
        self.word(self.job(task, 2)) & FRESH != 0
    }

    pub fn set_fresh(&mut self, task: u8, fresh: bool) {
        let index = self.job(task, 2);
        let rest = self.word(index) & !FRESH;
        self.set_word(index, if fresh { rest | FRESH } else { rest });
    }

    /// Whether some thread dispatches a task.
    pub fn is_dispatched(&self, task: u8) -> bool {
        self.word(HEAD + usize::from(task / 32)) >> (task % 32) & 1 == 1
    }

    pub fn set_dispatched(&mut self, task: u8) {
        let index = HEAD + usize::from(task / 32);
        self.set_word(index, self.word(index) | 1 << (task % 32));
    }

    pub fn place(&self, place: u8) -> usize {
        self.shape.places() + usize::from(place) * self.shape.place()
    }

    pub fn head(&self, place: u8) -> Head {
        let base = self.place(place);
        let (first, second) = (self.word(base), self.word(base + 1));
        Head {
            wait: WAITS.get((first >> 16 & 7) as usize).copied().unwrap_or(Wait::Free),
            task: (first >> 24) as u8,
            address: first as u16,
            thread: second as u8,
            program: (second >> 8) as u8,
            is_new: second >> 16 & 1 == 1,
            age: self.word(base + 2),
        }
    }

    pub fn set_head(&mut self, place: u8, head: Head) {
        let Head { wait, task, address, thread, program, is_new, age } = head;
        let base = self.place(place);
        self.set_word(base, u32::from(task) << 24 | (wait as u32) << 16 | u32::from(address));
        self.set_word(base + 1, u32::from(is_new) << 16 | u32::from(program) << 8 | u32::from(thread));
        self.set_word(base + 2, age);
    }

    pub fn left(&self, place: u8, task: u8) -> u32 {
        self.word(self.place(place) + PLACE + usize::from(task))
    }

    pub fn set_left(&mut self, place: u8, task: u8, left: u32) {
        self.set_word(self.place(place) + PLACE + usize::from(task), left);
    }

    fn bit(&self, place: u8, task: u8) -> usize {
        self.place(place) + PLACE + usize::from(self.shape.tasks) + usize::from(task / 32)
    }

    /// Whether a task is certainly released and not complete at a place.
    pub fn is_certain(&self, place: u8, task: u8) -> bool {
        self.word(self.bit(place, task)) >> (task % 32) & 1 == 1
    }

    pub fn set_certain(&mut self, place: u8, task: u8, certain: bool) {
        let index = self.bit(place, task);
        let rest = self.word(index) & !(1 << (task % 32));
        self.set_word(index, rest | u32::from(certain) << (task % 32));
    }

    /// Keeps only this of what is certain at a place.
    pub fn keep_certain(&mut self, place: u8, keep: impl Fn(&Self, usize) -> u32) {
        let base = self.place(place) + PLACE + usize::from(self.shape.tasks);
        // bound: 8, the words with a bit for each task
        for word in 0..self.shape.bits() {
            let kept = self.word(base + word) & keep(self, word);
            self.set_word(base + word, kept);
        }
    }

    /// A word of what is certain at a place.
    pub fn certain_word(&self, place: u8, word: usize) -> u32 {
        self.word(self.place(place) + PLACE + usize::from(self.shape.tasks) + word)
    }

    /// A word of the bits for tasks that threads dispatch.
    pub fn dispatched_word(&self, word: usize) -> u32 {
        self.word(HEAD + word)
    }

    /// Nothing is left at a place.
    pub fn clear_left(&mut self, place: u8) {
        let base = self.place(place) + PLACE;
        let words = self.words.get_mut(base..base + usize::from(self.shape.tasks)).unwrap_or_default();
        words.fill(0);
    }

    pub fn free(&mut self, place: u8) {
        let base = self.place(place);
        self.words.get_mut(base..base + self.shape.place()).unwrap_or_default().fill(0);
    }

    pub fn copy_place(&mut self, from: u8, to: u8) {
        let (from, to) = (self.place(from), self.place(to));
        let end = from + self.shape.place();
        if end <= self.words.len() && to + self.shape.place() <= self.words.len() {
            self.words.copy_within(from..end, to);
        }
    }

    /// The first place from a number on for which something holds.
    pub fn find(&self, from: u8, holds: impl Fn(u8, &Head) -> bool) -> Option<(u8, Head)> {
        // bound: PLACES
        for place in from..self.shape.places {
            let head = self.head(place);
            if holds(place, &head) {
                return Some((place, head));
            }
        }
        None
    }

    /// The first place from a number on at which a thread may stand.
    pub fn used_from(&self, place: u8) -> Option<u8> {
        self.find(place, |_, head| head.wait != Wait::Free).map(|(place, _)| place)
    }

    pub fn free_place(&self) -> Option<u8> {
        self.find(0, |_, head| head.wait == Wait::Free).map(|(place, _)| place)
    }

    /// Whether a thread has any place.
    pub fn is_alive(&self, thread: u8) -> bool {
        self.find(0, |_, head| head.wait != Wait::Free && head.thread == thread).is_some()
    }

    /// A number for another thread.
    pub fn new_thread(&self) -> Option<u8> {
        let mut thread = 0;
        // bound: PLACES
        while thread < self.shape.places && self.is_alive(thread) {
            thread += 1;
        }
        (thread < self.shape.places).then_some(thread)
    }

    /// A thread may have run a task: no other thread sees it fresh any more.
    pub fn run(&mut self, task: u8, thread: u8) {
        // bound: PLACES
        for place in 0..self.shape.places {
            if self.head(place).thread != thread {
                self.set_certain(place, task, false);
            }
        }
        self.set_fresh(task, false);
    }

    /// How much may be left of a task's job, wherever its thread stands.
    pub fn most_left(&self, task: u8) -> u32 {
        let owner = self.owner(task);
        if owner == NOBODY {
            return self.job_left(task);
        }
        let mut most = 0;
        // bound: PLACES
        for place in 0..self.shape.places {
            let head = self.head(place);
            if head.wait != Wait::Free && head.thread == owner {
                most = most.max(self.left(place, task));
            }
        }
        most
    }
}
