//! A set of periodic tasks on the reference machine, and who runs there, tick by tick.

use beryl_generator::TaskSet;
use beryl_reference::{Driver, Entry, Event, Machine, Policy, Task, World};
use beryl_syscode::Container;

/// The tasks with a port to read and one to write each, behind them what their outputs are copied to, and last the one
/// that all inputs come from. A job takes what `execution` says of its bound, its task and its number.
pub fn world(set: &TaskSet, policy: Policy, execution: impl Fn(u64, usize, usize) -> u64 + 'static) -> World {
    let count = set.tasks.len();
    let bounds: Vec<_> = set.tasks.iter().map(|task| task.bound).collect();
    let outputs = (0..count).map(|task| Driver::copy(2 * task + 1, 2 * count + task));
    let inputs = (0..count).map(|task| Driver::copy(3 * count, 2 * task));
    World {
        tasks: (0..count).map(|task| Task { reads: vec![2 * task], writes: vec![2 * task + 1] }).collect(),
        drivers: outputs.chain(inputs).collect(),
        ports: vec![0; 3 * count + 1],
        policy,
        execution: Box::new(move |task, number| execution(bounds[task], task, number)),
        ..World::of_times(&[])
    }
}

/// What programs do up to an instant; each is given as the bytes of its container.
pub fn run(programs: &[Vec<u8>], world: World, until: u64) -> Vec<Entry> {
    let containers: Vec<_> =
        programs.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    Machine::new(&containers, world).run(until).expect("no trap")
}

/// Who runs at each tick.
pub fn who_runs(trace: &[Entry], until: u64) -> Vec<Option<usize>> {
    let mut entries = trace.iter().peekable();
    let mut running = None;
    let tick = |now: u64| {
        while let Some(entry) = entries.next_if(|entry| entry.at <= now) {
            match entry.event {
                Event::Start(task) | Event::Resume(task) => running = Some(task),
                Event::Preempt(_) | Event::Complete(_) | Event::Stop(_) => running = None,
                _ => {}
            }
        }
        running
    };
    (0..until).map(tick).collect()
}
