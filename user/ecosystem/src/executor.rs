//! An `embassy` executor in a thread: its tasks take turns, and the thread sleeps when none has something to do.
//!
//! ```text
//!            a task was woken                     none was
//!   ┌──────┐ ◄─────────────── ┌────────────────┐ ──────────► ┌───────┐
//!   │ poll │                  │ look at timers │             │ sleep │ until a timer is due, an event of the thread's word
//!   └──────┘ ───────────────► └────────────────┘ ◄────────── └───────┘ comes, or another thread has woken a task
//!              all have waited                     awake
//! ```
//!
//! Tasks of one executor never preempt each other; threads do, so work that is more urgent goes into another thread, with
//! an executor of its own if it likes. A task is woken by a system call only if it is woken by another thread while the
//! executor's sleeps.

use core::cell::UnsafeCell;
use core::future::poll_fn;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Poll;

use beryl_user::notification::{self, Bits, Notification, Notifier};
use beryl_user::time::Wait;
use embassy_executor::{Spawner, raw};
use embassy_sync::waitqueue::AtomicWaker;

/// Something that a bit of the thread's word tells, and one task waits for: an interrupt, or another notification.
pub struct Event {
    has_come: AtomicBool,
    task: AtomicWaker,
}

impl Event {
    /// One that hasn't come yet.
    #[must_use]
    pub const fn new() -> Event {
        Event { has_come: AtomicBool::new(false), task: AtomicWaker::new() }
    }

    /// Waits until it has come since the last wait. An interrupt is acknowledged before.
    pub async fn wait(&self) {
        poll_fn(|context| {
            self.task.register(context.waker());
            match self.has_come.swap(false, Ordering::AcqRel) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }

    fn comes(&self) {
        self.has_come.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl Default for Event {
    fn default() -> Event {
        Event::new()
    }
}

/// An executor: a `static`, since whoever wakes a task looks into it, and threads can't look into each other's stacks.
pub struct Executor {
    raw: UnsafeCell<MaybeUninit<raw::Executor>>,
    alarm: Alarm,
}

// SAFETY: `raw` belongs to the one thread that runs it, and to `embassy-executor`, whose own parts may be shared; `alarm` has
// atomic values, and what is written before anybody is told of it.
unsafe impl Sync for Executor {}

impl Executor {
    /// One that nobody runs yet.
    #[must_use]
    pub const fn new() -> Executor {
        Executor { raw: UnsafeCell::new(MaybeUninit::uninit()), alarm: Alarm::new() }
    }

    /// Runs tasks for ever, beginning with those that `start` spawns. `wake` and `woken` are both ends of one notification,
    /// `["wake.notify", "wake.wait"]` of the thread's `uses`: by it other threads of the process wake it for a task. Each
    /// event of `events` comes when one of its bits is set.
    ///
    /// # Panics
    ///
    /// If it runs already. In the simulator, where a process that begins anew keeps its `static` variables, then too.
    pub fn run<const N: usize>(
        &'static self,
        wake: Notifier,
        woken: &Notification,
        events: [(Bits, &'static Event); N],
        start: impl FnOnce(Spawner),
    ) -> ! {
        let executor = self.begin(wake);
        start(executor.spawner());
        let bits = events.iter().fold(woken.bits(), |bits, (own, _)| bits | *own);
        loop {
            // SAFETY: by this thread alone, and never from within a task.
            unsafe { executor.poll() };
            let wait = crate::clock::next().map_or(Wait::Forever, Wait::AtMost);
            if !self.alarm.falls_asleep() {
                continue;
            }
            let came = notification::wait_any(bits, wait);
            self.alarm.is_awake();
            let Ok(came) = came else { continue };
            events.iter().filter(|(own, _)| came.has(*own)).for_each(|(_, event)| event.comes());
        }
    }

    fn begin(&'static self, wake: Notifier) -> &'static raw::Executor {
        assert!(!self.alarm.runs.swap(true, Ordering::SeqCst), "an executor is run by one thread");
        let alarm = ptr::from_ref(&self.alarm).cast_mut().cast();
        // SAFETY: this thread is the first that comes here, and the last.
        unsafe {
            (*self.alarm.wake.get()).write(wake);
            (*self.raw.get()).write(raw::Executor::new(alarm))
        }
    }
}

impl Default for Executor {
    fn default() -> Executor {
        Executor::new()
    }
}

/// What wakes an executor.
struct Alarm {
    runs: AtomicBool,
    /// Written before any task can be woken.
    wake: UnsafeCell<MaybeUninit<Notifier>>,
    /// A task was woken since the executor looked last.
    is_set: AtomicBool,
    /// The thread sleeps, or is about to.
    is_asleep: AtomicBool,
}

impl Alarm {
    const fn new() -> Alarm {
        let [runs, is_set, is_asleep] = [const { AtomicBool::new(false) }; 3];
        Alarm { runs, wake: UnsafeCell::new(MaybeUninit::uninit()), is_set, is_asleep }
    }

    /// Whether the thread may sleep: no task was woken. From here on, whoever wakes one wakes the thread, too.
    fn falls_asleep(&self) -> bool {
        self.is_asleep.store(true, Ordering::SeqCst);
        let has_work = self.is_set.swap(false, Ordering::SeqCst);
        if has_work {
            self.is_awake();
        }
        !has_work
    }

    fn is_awake(&self) {
        self.is_asleep.store(false, Ordering::SeqCst);
    }

    fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        if self.is_asleep.swap(false, Ordering::SeqCst) {
            // SAFETY: tasks are woken once the executor has begun. A handle is a number and bits, and the right to notify is
            // the process's, in which all are that wake its tasks.
            let mut wake = unsafe { (*self.wake.get()).assume_init_read() };
            wake.notify();
        }
    }
}

/// What `embassy-executor` calls when a task is woken that wasn't before.
#[unsafe(export_name = "__pender")]
fn pender(alarm: *mut ()) {
    // SAFETY: the executor was made with this, and is a `static`: see `Executor::begin`.
    let alarm = unsafe { &*alarm.cast_const().cast::<Alarm>() };
    alarm.set();
}
