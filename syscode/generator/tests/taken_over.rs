//! Schedules that are made of the default scheduler's run, on the kernel and on the reference machine: from
//! where they take over, the same tasks run at the same ticks, and those that they don't name where they
//! leave time.

use beryl_abi::{BandId, Duration, Instant, ProgramId, Progress, Range, Record, SlotId, ThreadId};
use beryl_assembler::Program;
use beryl_generator::{Scheme, TaskSet, generate};
use beryl_kernel::row::{Costs, Rights, Terms, time};
use beryl_kernel::{
    Band, Driver, DriverKind, Event, Kernel, Place, Policy, Process, ProgramSlot, Rank, System, Thread,
    ThreadKind,
};
use beryl_reference::Policy as ModelPolicy;
use beryl_syscode::generate::{
    Kept, Recorded, Recorder, Recording, Reordering, Workshop, preemptions, reordered,
};
use beryl_syscode::{Container, Instruction};

use common::host::{self, Around, Host};
use common::jobs::{Jobs, execution};
use common::leak;
use common::loading::{BUFFER, Desk, Loading, PART};
use common::periodic::{self, who_runs};
use common::sets::random_set;

mod common;

beryl_kernel::sizes! {
    struct Small {
        threads: 8, processes: 1, bands: 2, slots: 4, drivers: 8, programs: 1, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 2, program_slots: 1, rooms: 4096, check_words: 2048,
    }
}

const LOADER: usize = 6;
const IDLE: usize = 7;
/// What the background thread has, and what the kernel tells.
#[derive(Default)]
struct Scene {
    desk: Desk,
    records: Vec<Record>,
}

impl Around for Scene {
    fn load(&mut self, address: u32) -> u32 {
        self.desk.load(address).expect("a word of the part that is written")
    }
    fn result(&mut self, values: [u32; 2]) {
        self.desk.result(values);
    }
    fn status(&mut self, status: u32) {
        self.desk.status(status);
    }
    fn trace(&mut self, _now: Instant, record: Record) {
        self.records.push(record);
    }
}

/// A module's E code with the end of its period where outputs are done and nothing of the next has begun.
fn with_period(mut program: Program) -> Program {
    let Some(Instruction::Jump { address: begin }) = Instruction::decode(program.code[0]) else {
        panic!("it begins with a jump behind the outputs");
    };
    program.code.insert(usize::from(begin), Instruction::Period {}.encode());
    for word in &mut program.code {
        if let Some(Instruction::Future { delay, address }) = Instruction::decode(*word) {
            let address = address + u16::from(address > begin);
            *word = Instruction::Future { delay, address }.encode();
        }
    }
    program
}

/// The tables: all tasks in a dynamic band, offered to the module's programs; below them the background thread.
fn system(module: &Container<'_>, set: &TaskSet) -> &'static System<Small> {
    let count = set.tasks.len();
    let mut threads = [Thread::NONE; 8];
    let mut slots = [ThreadId::NONE; 4];
    for number in 0..count {
        let place = Place::Offered { slot: number as u8, program: ProgramId(0) };
        slots[number] = ThreadId(number as u8);
        threads[number] =
            Thread { kind: ThreadKind::Task, place, rank: Rank::dynamic(0), level: 1, ..Thread::NONE };
    }
    let below = |kind, rank| Thread { kind, band: BandId(1), rank: Rank::fixed(rank), ..Thread::NONE };
    (threads[LOADER], threads[IDLE]) = (below(ThreadKind::Free, 1), below(ThreadKind::Idle, 2));
    let mut drivers = [Driver::NONE; 8];
    for (number, driver) in drivers.iter_mut().enumerate().take(2 * count) {
        let kind = if number < count { DriverKind::Copy } else { DriverKind::Input };
        *driver = Driver { kind, task: ThreadId((number % count) as u8), length: 4, ..Driver::NONE };
    }
    let times: Vec<_> =
        set.tasks.iter().map(|task| time::Task { bound: task.bound as u32, rank: 0 }).collect();
    let slot = ProgramSlot {
        processes: 1,
        size: 2048,
        terms: Terms {
            interface: module.interface(),
            rights: Rights { tasks: &[0xFF], drivers: &[0xFF] },
            threads: 1,
            times: leak(&times),
            policies: &[time::Policy::EarliestDeadline],
            costs: Costs { drivers: &[0; 8], instruction: 0, most: 1, threads: 1 },
            ..Terms::NONE
        },
        ..ProgramSlot::NONE
    };
    let program = beryl_kernel::Program {
        code: leak(&module.code().collect::<Vec<_>>()),
        durations: leak(&module.durations().collect::<Vec<_>>()),
        start: module.start(),
        schedules: 2,
        rank: Rank::dynamic(0),
        slot: SlotId(0),
        ..beryl_kernel::Program::NONE
    };
    Box::leak(Box::new(System {
        threads,
        processes: [Process {
            memory: [Range { address: BUFFER, length: PART }, Range::EMPTY, Range::EMPTY],
            ..Process::NONE
        }],
        bands: [Band { policy: Policy::Dynamic { base: 0, leaves: 4 } }, Band { policy: Policy::Fixed }],
        slots,
        drivers,
        programs: [program],
        program_slots: [slot],
        ..System::empty()
    }))
}

/// A system that runs, and what its jobs have left.
struct Run<'a> {
    kernel: Kernel<Small, Host<Small, Scene>>,
    set: &'a TaskSet,
    seed: u64,
    jobs: Jobs,
    seen: usize,
}

impl Run<'_> {
    fn new<'a>(module: &Container<'_>, set: &'a TaskSet, seed: u64) -> Run<'a> {
        let system = system(module, set);
        let mut kernel = Kernel::new(Host::new(system, Scene::default()));
        kernel.state.set_tracing(true);
        let mut run = Run { kernel, set, seed, jobs: Jobs::of(set.tasks.len()), seen: 0 };
        run.raise(Event::Start);
        run
    }

    /// Jobs that were released get their times; from a take-over on, they are counted anew.
    fn look(&mut self) {
        for record in self.kernel.machine.around.records.split_off(self.seen) {
            match record {
                Record::Swap { .. } => self.jobs.count_anew(),
                Record::Release { task, .. } => {
                    let (set, seed) = (self.set, self.seed);
                    let length = |task: usize, number| execution(seed, set.tasks[task].bound, task, number);
                    self.jobs.release(task.index(), length);
                }
                Record::Skip { .. } | Record::Violation { .. } => panic!("seed {}: {record:?}", self.seed),
                _ => {}
            }
            self.kernel.machine.around.records.push(record);
        }
        self.seen = self.kernel.machine.around.records.len();
    }

    /// Who runs at each tick up to an instant; or, if that is asked for, up to where the background thread
    /// has the processor.
    fn pass(&mut self, until: u64, stops_at_loader: bool) -> Vec<Option<usize>> {
        let mut ran = Vec::new();
        loop {
            let thread = self.kernel.state.running().index();
            if stops_at_loader && thread == LOADER {
                return ran;
            }
            let task = Some(thread).filter(|thread| *thread < LOADER);
            let now = self.kernel.machine.now.ticks();
            let next = self.jobs.pass(&mut self.kernel.machine, task, None, until);
            ran.extend((now..self.kernel.machine.now.ticks()).map(|_| task));
            match next {
                Some(event) => self.raise(event),
                None => return ran,
            }
        }
    }
}

impl Loading for Run<'_> {
    fn desk(&mut self) -> &mut Desk {
        &mut self.kernel.machine.around.desk
    }

    fn raise(&mut self, event: Event) {
        host::raise(&mut self.kernel, event, 1000, &format_args!("seed {}", self.seed));
        self.look();
    }
}

/// Who runs at each tick on the reference machine.
fn on_model(program: &[u8], set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    let times = move |bound, task, number| execution(seed, bound, task, number);
    let world = periodic::world(set, ModelPolicy::EarliestDeadline, times);
    who_runs(&periodic::run(&[program.to_vec()], world, until), until)
}

/// What is recorded of some of the tasks, a bit for each, from one instant to another: its words.
fn recorded(records: &[Record], named: u64, begin: u64, end: u64) -> Vec<u32> {
    let (mut recorder, mut room) = (Recorder::asked(Instant::START), [0; 8 + 12 * 256]);
    let [begin, end] = [begin, end].map(Instant::from_ticks);
    let is_seen = |record: &&Record| match record {
        Record::Release { task, .. } => named >> task.index() & 1 == 1,
        _ => true,
    };
    for record in records {
        if let Record::Release { instant, .. } = record {
            if *instant >= begin && recorder.recorded() == Recorded::Asked {
                recorder.turn(begin, &mut room);
            }
            if *instant >= end {
                recorder.turn(end, &mut room);
            }
        }
        if is_seen(&record) {
            recorder.take(record, &mut room);
        }
    }
    room.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// A program of what was recorded, with some instants kept.
fn written(words: &[u32], kept: Kept, module: &Container<'_>) -> Vec<u8> {
    let (mut code, mut durations) = ([0; 512], [Duration::ZERO; 64]);
    let mut conditions = [beryl_syscode::Condition::Clock(0); 64];
    let workshop = Workshop { code: &mut code, durations: &mut durations, conditions: &mut conditions };
    let mut bytes = [0; 2048];
    let length = reordered(&Recording::new(words), module, kept, workshop, &mut bytes);
    let length = length.unwrap_or_else(|reason| panic!("{reason}"));
    bytes[..length].to_vec()
}

#[test]
fn from_the_take_over_on_the_kernel_runs_what_the_reference_machine_runs() {
    let (mut count, mut partial, mut refused, mut other) = (0, 0, 0, 0);
    for seed in 1..=2000 {
        let set = random_set(seed);
        // What can't be scheduled under the bounds may be late in the default scheduler's run, too.
        if generate(&set, Scheme::PreemptiveEdf).is_err() {
            continue;
        }
        let bytes = with_period(generate(&set, Scheme::Bands).expect("periodic tasks")).to_bytes();
        let module = Container::read(&bytes).expect("a fresh container");
        let hyperperiod = set.hyperperiod().expect("it can be counted");
        let mut run = Run::new(&module, &set, seed);
        run.pass(2 * hyperperiod, false);
        run.pass(3 * hyperperiod - 1, true);
        if run.kernel.state.running().index() != LOADER {
            continue;
        }
        let all = (1 << set.tasks.len()) - 1;
        let named = 1 + seed % all;
        let words = recorded(&run.kernel.machine.around.records, named, hyperperiod, 2 * hyperperiod);
        let program = written(&words, Kept::NONE, &module);
        match run.load(&program, seed) {
            Progress::Accepted => {}
            answer => {
                // Only tasks that aren't named have to make way for others that are due later.
                assert_ne!(named, all, "seed {seed}: {answer:?}");
                refused += 1;
                continue;
            }
        }
        run.pass(3 * hyperperiod, false);
        let ran = run.pass(5 * hyperperiod, false);
        let expected = on_model(&program, &set, seed, 2 * hyperperiod);
        assert_eq!(ran, expected, "seed {seed}, {named:#b} named");
        count += 1;
        partial += usize::from(named != all);
        other +=
            usize::from((0..set.tasks.len()).any(|task| named >> task & 1 == 0 && ran.contains(&Some(task))));
    }
    assert!(
        count > 1000 && partial > 500 && other > 500 && refused > 200,
        "{count}, {partial} of them partial, {other} with others, {refused} refused"
    );
}

/// A schedule that is reordered while it runs, as the background thread does it.
struct Reordered<'a> {
    run: Run<'a>,
    module: Container<'a>,
    hyperperiod: u64,
}

impl Reordered<'_> {
    /// Gives a program to the kernel as soon as there is time. If it is accepted: how long each task works in the
    /// first hyperperiod of it, and how often one is preempted.
    fn tried(&mut self, program: &[u8]) -> Option<(Vec<u64>, u32)> {
        let seed = self.run.seed;
        self.run.pass(u64::MAX, true);
        let answer = self.run.load(program, seed);
        let begin = self.run.kernel.machine.now.ticks().next_multiple_of(self.hyperperiod);
        self.run.pass(begin, false);
        if answer != Progress::Accepted {
            return None;
        }
        let ran = self.run.pass(begin + self.hyperperiod, false);
        assert_eq!(ran, on_model(program, self.run.set, seed, self.hyperperiod), "seed {seed}");
        let took = |task| ran.iter().filter(|ran| **ran == Some(task)).count() as u64;
        let records = &self.run.kernel.machine.around.records;
        let words = recorded(records, u64::MAX, begin, begin + self.hyperperiod);
        let count = preemptions(&Recording::new(&words), &self.module).expect("a whole period");
        Some(((0..self.run.set.tasks.len()).map(took).collect(), count))
    }
}

#[test]
fn a_reordered_schedule_does_the_same_work_in_time_with_fewer_preemptions() {
    let (mut fewer, mut none, mut some, mut refused) = (0, 0, 0, 0);
    for seed in 1..=2000 {
        let set = random_set(seed);
        if generate(&set, Scheme::PreemptiveEdf).is_err() {
            continue;
        }
        let bytes = with_period(generate(&set, Scheme::Bands).expect("periodic tasks")).to_bytes();
        let module = Container::read(&bytes).expect("a fresh container");
        let hyperperiod = set.hyperperiod().expect("it can be counted");
        let mut run = Run::new(&module, &set, seed);
        run.pass(2 * hyperperiod, false);
        run.pass(3 * hyperperiod - 1, true);
        if run.kernel.state.running().index() != LOADER {
            continue;
        }
        let words = recorded(&run.kernel.machine.around.records, u64::MAX, hyperperiod, 2 * hyperperiod);
        let recording = Recording::new(&words);
        let mut reordered = Reordered { run, module, hyperperiod };
        let recorded = reordered.tried(&written(&words, Kept::NONE, &module));
        let (work, first) = recorded.expect("what the default scheduler does is in time");
        let mut search = Reordering::new(first);
        while let Some(kept) = search.candidate(&recording, &module).expect("a whole period") {
            let came = reordered.tried(&written(&words, kept, &module));
            refused += usize::from(came.is_none());
            if let Some((took, count)) = &came {
                assert_eq!(*took, work, "seed {seed}: the same work by the end, {kept:?}");
                assert!(kept != Kept::ALL || *count == 0, "seed {seed}: nobody is preempted");
            }
            search.came_to(came.map(|(_, count)| count));
        }
        let (_, last) = reordered.tried(&written(&words, search.best(), &module)).expect("as before");
        assert_eq!(last, search.preemptions(), "seed {seed}");
        assert!(last <= first, "seed {seed}: {last} instead of {first}");
        fewer += usize::from(last < first);
        none += usize::from(last == 0 && first > 0);
        some += usize::from(first > 0);
    }
    assert!(
        some > 250 && fewer > 180 && none > 150 && none < fewer && refused > 250,
        "{some} with preemptions, {fewer} with fewer, {none} with none, {refused} refused"
    );
}
