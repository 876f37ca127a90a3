//! The maker: records a period, makes a schedule of it, and gives it to the kernel; then it looks for one with
//! fewer preemptions. It has what the wave leaves of the processor.

use beryl_syscode::generate::{Kept, Recording, Workshop, reordered};
use beryl_syscode::{Condition, Container};
use beryl_user::call::{CallError, execution_time};
use beryl_user::println;
use beryl_user::slot::{Progress, Slot};
use beryl_user::time::{Duration, milliseconds, sleep};

mod fewer;

/// Words of the longest recording: those of the slot's room.
const WORDS: usize = 256;
/// Bytes of the longest program: the same.
const BYTES: usize = 1024;
/// How long the default scheduler is left alone first.
const AT_FIRST: Duration = milliseconds(400);
/// How long a schedule runs before it is reordered.
const A_SECOND: Duration = milliseconds(1000);
/// How often it looks whether the period is over.
const A_WHILE: Duration = milliseconds(5);

/// Makes a schedule, reorders it, says what became of both, and sleeps.
pub fn maker(mut slot: Slot) -> ! {
    pause(AT_FIRST);
    if let Err(what) = make(&mut slot) {
        println!("no schedule: {what}");
    }
    loop {
        pause(Duration::FOREVER);
    }
}

fn pause(duration: Duration) {
    // A sleep is never refused to a thread that holds no lock.
    let _ = sleep(duration);
}

fn make(slot: &mut Slot) -> Result<(), &'static str> {
    let mut words = [0; WORDS];
    let words = recorded(slot, &mut words)?;
    let steps = offered(slot, words, Kept::NONE)?;
    println!("accepted after {steps} steps");
    taken_over(slot);
    println!("it runs");
    pause(A_SECOND);
    fewer::reorder(slot, words)
}

/// A period of the module, as the kernel saw it.
fn recorded<'m>(slot: &mut Slot, words: &'m mut [u32]) -> Result<&'m [u32], &'static str> {
    const NOTHING: &str = "the kernel records nothing";
    slot.record().map_err(|_| NOTHING)?;
    while slot.recording(&mut *words) == Err(CallError::WouldBlock) {
        pause(A_WHILE);
    }
    slot.recording(words).map_err(|_| NOTHING)
}

/// Writes a schedule and has it checked. Answers after how many steps it was accepted.
fn offered(slot: &mut Slot, words: &[u32], kept: Kept) -> Result<u32, &'static str> {
    let mut bytes = [0; BYTES];
    let length = written(slot, words, kept, &mut bytes)?;
    let program = bytes.get(..length).ok_or("it is longer than its room")?;
    slot.write(program).map_err(|_| "the kernel doesn't take it")?;
    println!("a schedule of {length} bytes");
    checked(slot)
}

/// Waits until what was accepted runs.
fn taken_over(slot: &mut Slot) {
    while slot.check() != Ok(Progress::Running) {
        pause(A_WHILE);
    }
}

/// The module's own program.
fn module(slot: &Slot) -> Result<Container<'static>, &'static str> {
    Container::read(slot.program()).map_err(|_| "the image has no program of the module")
}

/// The module's program with a thread that does the same, but that nobody is preempted where that is kept.
fn written(slot: &Slot, words: &[u32], kept: Kept, out: &mut [u8]) -> Result<usize, &'static str> {
    let module = module(slot)?;
    let (mut code, mut durations) = ([0; 128], [Duration::ZERO; 16]);
    let mut conditions = [Condition::Clock(0); 16];
    let workshop = Workshop { code: &mut code, durations: &mut durations, conditions: &mut conditions };
    let begin = execution_time();
    let length = reordered(&Recording::new(words), &module, kept, workshop, out);
    println!("made in {} ticks", execution_time().minus(begin).ticks());
    length.map_err(|reason| reason.as_str())
}

/// The kernel checks what was written, step by step. Answers how many steps it took.
fn checked(slot: &mut Slot) -> Result<u32, &'static str> {
    let mut steps = 1;
    loop {
        match slot.check() {
            Ok(Progress::More) => steps += 1,
            Ok(Progress::Accepted | Progress::Running) => return Ok(steps),
            Ok(Progress::Refused { reason, address }) => {
                println!("refused for {reason:#x} at instruction {address}");
                return Err("the kernel refuses it");
            }
            Ok(Progress::Nothing) | Err(_) => return Err("the kernel doesn't check it"),
        }
    }
}
