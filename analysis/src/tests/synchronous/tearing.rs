//! What comes of a reader's end that isn't one step, at every place at which a writer's activation may come between.
//!
//! The end of a use is: load the count, take one off, store it; if nobody is left, load the head of the list, store
//! it as this buffer's successor, store this one as the head. A writer's activation does the same to the buffer that
//! was its own, and takes one from the list.

/// Four buffers: of a used one how many use it, of a free one its successor. The reader holds 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    uses: [usize; 4],
    head: usize,
    /// The writer's.
    current: usize,
    /// What another reader holds all the time, if it isn't the writer's any more.
    kept: &'static [usize],
}

/// The reader's end, load by load and store by store.
#[derive(Clone, Copy)]
enum Step {
    LoadCount,
    StoreCount,
    LoadHead,
    StoreNext,
    StoreHead,
}

const STEPS: [Step; 5] =
    [Step::LoadCount, Step::StoreCount, Step::LoadHead, Step::StoreNext, Step::StoreHead];

/// The reader's buffer.
const HELD: usize = 0;

/// The writer still has the reader's buffer, too; 1, 2 and 3 are free.
const SHARED: List = List { uses: [2, 2, 3, 4], head: 1, current: HELD, kept: &[] };

/// The reader is the last to have its buffer. The writer's is 1, which another reader has, too; 2 and 3 are free.
const LAST: List = List { uses: [1, 2, 3, 4], head: 2, current: 1, kept: &[1] };

impl List {
    /// The writer is activated: it lets go of its buffer and takes the first of the list.
    fn activate(&mut self) {
        let own = self.current;
        self.uses[own] = self.uses[own].saturating_sub(1);
        if self.uses[own] == 0 {
            self.uses[own] = self.head;
            self.head = own;
        }
        self.current = self.head;
        self.head = self.uses[self.current];
        self.uses[self.current] = 1;
    }

    /// The reader's end with the writer's activation before the step of this number.
    fn torn(mut self, between: usize) -> List {
        let (mut count, mut head) = (0, 0);
        for (number, step) in STEPS.iter().enumerate() {
            if number == between {
                self.activate();
            }
            match step {
                Step::LoadCount => count = self.uses[HELD],
                Step::StoreCount => self.uses[HELD] = count - 1,
                _ if count != 1 => {}
                Step::LoadHead => head = self.head,
                Step::StoreNext => self.uses[HELD] = head,
                Step::StoreHead => self.head = HELD,
            }
        }
        if between == STEPS.len() {
            self.activate();
        }
        self
    }

    /// Whether each buffer is the writer's, kept, or in the list, and none is twice.
    fn is_sound(&self) -> bool {
        let mut all: Vec<_> = self.kept.iter().copied().chain([self.current]).collect();
        let mut next = self.head;
        while next < self.uses.len() && all.len() <= self.uses.len() {
            all.push(next);
            next = self.uses[next];
        }
        all.sort_unstable();
        all == [0, 1, 2, 3]
    }
}

#[test]
fn an_end_that_is_not_one_step_loses_buffers() {
    let sound = |list: List| -> Vec<_> {
        (0..=STEPS.len()).map(|between| list.clone().torn(between).is_sound()).collect()
    };
    // Between loading the count and storing it; and from loading the head to storing the new one.
    assert_eq!(sound(SHARED), [true, false, true, true, true, true]);
    assert_eq!(sound(LAST), [true, true, true, false, false, true]);
}
