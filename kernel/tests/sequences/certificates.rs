//! Programs that carry a certificate: accepted by it where nothing can be late, refused with the number that
//! doesn't hold, and never accepted where a job may be late.

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_generator::certificate;
use beryl_kernel::System;
use beryl_kernel::row::time::{Loss, Policy, Task};
use beryl_syscode::check::demand::{Demand, WORDS, most_steps};
use beryl_syscode::check::steps;
use beryl_syscode::check::time::{Fault, PATIENCE, Parts, Time};
use beryl_syscode::container::Content;
use beryl_syscode::refused::Refused;
use beryl_syscode::{Container, Instruction};

use super::slots::{check, load};
use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::code::{RETURN, branch, call, future, release};
use crate::host::draft::{Draft, Queue, Swapping};
use crate::host::{Rig, only_records, play};
use beryl_abi::CallNumber::Complete;
use beryl_testing::High;

const PERIOD: Instruction = Instruction::Period {};
const TASKS: [&str; 3] = ["a", "b", "c"];
const DRIVERS: [&str; 3] = ["x", "y", "z"];
/// Driver `n` reads the outputs of task `n`.
const TOUCHES: [u8; 3] = [1, 2, 4];
/// Bytes of the slot's rooms.
const ROOM: usize = 256;

/// What a slot's module has of the processor, and a program for it: each task is released every so many
/// blocks, and its outputs are read where the next release comes.
#[derive(Clone, Debug)]
struct Case {
    block: u32,
    blocks: u32,
    /// Of each task: every how many blocks, deadline, bound, rank.
    tasks: Vec<(u32, u32, u32, u8)>,
    policies: Vec<Policy>,
    losses: Vec<Loss>,
}

impl Case {
    fn random(random: &mut High) -> Case {
        let block = 4 + random.below(7);
        let blocks = 1 + random.below(3);
        let count = 1 + random.below(3);
        let task = |random: &mut High| {
            let every = if random.below(2) == 0 { 1 } else { blocks };
            let bound = 1 + random.below(block * every / 2);
            (every, bound + random.below(block * every - bound + 1), bound, random.below(2) as u8)
        };
        let tasks = (0..count).map(|_| task(random)).collect();
        let policy =
            |random: &mut High| [Policy::EarliestDeadline, Policy::FixedPriority][random.below(2) as usize];
        let policies = (0..2).map(|_| policy(random)).collect();
        let loss = |random: &mut High| Loss {
            period: 5 + random.below(9),
            worst: 1 + random.below(2) / 2,
            is_in_step: random.below(2) == 0,
        };
        let losses = (0..random.below(3)).map(|_| loss(random)).collect();
        Case { block, blocks, tasks, policies, losses }
    }

    fn code(&self) -> (Vec<u64>, Vec<Instruction>) {
        let mut durations = vec![u64::from(self.block)];
        let mut blocks: Vec<Vec<Instruction>> = Vec::new();
        for block in 0..self.blocks {
            let mut code = if block == 0 { vec![PERIOD] } else { Vec::new() };
            let due = || (0..TASKS.len()).zip(&self.tasks).filter(|(_, task)| block % task.0 == 0);
            code.extend(due().map(|(task, _)| call(DriverId(task as u16))));
            for (task, row) in due() {
                let deadline = u64::from(row.1);
                let place = durations.iter().position(|known| *known == deadline).unwrap_or_else(|| {
                    durations.push(deadline);
                    durations.len() - 1
                });
                code.push(release(ThreadId(task as u8), place as u8));
            }
            blocks.push(code);
        }
        let mut code = Vec::new();
        for (block, own) in blocks.iter().enumerate() {
            let next = code.len() + own.len() + 2;
            code.extend(own);
            let to = if block + 1 == blocks.len() { 0 } else { next };
            code.extend([future(0, to as u16), RETURN]);
        }
        (durations, code)
    }

    fn container(&self, certificate: &[u32]) -> Vec<u8> {
        let (durations, code) = self.code();
        container(&durations, &code, certificate)
    }

    /// The system with its slot.
    fn system(&self) -> System<Swapping> {
        let mut system = every_10();
        let row = &mut system.program_slots[0];
        row.terms.times = self.times().leak();
        row.terms.policies = self.policies.clone().leak();
        row.terms.losses = self.losses.clone().leak();
        system
    }

    /// Tasks that the program doesn't release are there all the same.
    fn times(&self) -> Vec<Task> {
        let mut times: Vec<_> =
            self.tasks.iter().map(|(_, _, bound, rank)| Task { bound: *bound, rank: *rank }).collect();
        times.resize(TASKS.len(), Task { bound: 1000, rank: 0 });
        times
    }

    fn with<T>(&self, bytes: &[u8], look: impl FnOnce(&Parts<'_>) -> T) -> T {
        let programs = [Container::read(bytes).expect("a fresh container")];
        let tasks = self.times();
        let (policies, losses) = (&self.policies, &self.losses);
        look(&Parts { programs: &programs, tasks: &tasks, touches: &TOUCHES, policies, losses })
    }

    /// The numbers that the generator finds.
    fn numbers(&self) -> Option<Vec<u32>> {
        self.with(&self.container(&[]), |image| certificate(image)).ok()
    }

    /// What would be found if there were no other ranks.
    fn by_itself(&self, rank: u8) -> Option<Vec<u32>> {
        let tasks = self.tasks.iter().copied().filter(|task| task.3 == rank).collect();
        Case { tasks, ..self.clone() }.numbers()
    }

    /// Certificates that are right, nearly right, or right for others that have less to do.
    fn attempts(&self, random: &mut High) -> Vec<Vec<u32>> {
        let shorter = |task: &(u32, u32, u32, u8)| (task.0, task.1, task.2.max(2) - 1, task.3);
        let mut attempts = vec![
            self.numbers(),
            self.by_itself(0).zip(self.by_itself(1)).map(|(first, second)| [first, second].concat()),
            Case { losses: Vec::new(), ..self.clone() }.numbers(),
            Case { tasks: self.tasks.iter().map(shorter).collect(), ..self.clone() }.numbers(),
        ];
        attempts.dedup();
        let mut attempts: Vec<Vec<u32>> = attempts.into_iter().flatten().collect();
        for attempt in 0..2 {
            let mut numbers = attempts.get(attempt).cloned().unwrap_or_default();
            for _ in 0..=attempt {
                let place = random.below(numbers.len() as u32 + 1) as usize;
                match random.below(3) {
                    0 => numbers.insert(place, random.below(40)),
                    1 if place < numbers.len() => drop(numbers.remove(place)),
                    _ => numbers.get_mut(place).into_iter().for_each(|number| *number = random.below(40)),
                }
            }
            attempts.push(numbers);
        }
        attempts
    }

    /// What the same check says beside the kernel.
    fn on_the_host(&self, bytes: &[u8]) -> Result<(), Refused> {
        let container = Container::read(bytes).expect("a fresh container");
        let mut memory = [0xA5A5_A5A5; WORDS * TASKS.len()];
        let answer = self.with(bytes, |image| Demand::BEGIN.run(image, &container, &mut memory));
        answer.map(|_| ()).map_err(Refused::from)
    }

    /// The calls that a check may take: the first only begins.
    fn most_steps(&self, bytes: &[u8]) -> u64 {
        let container = Container::read(bytes).expect("a fresh container");
        let parts = [steps::reading, steps::structure, steps::weight].map(|most| most(&container));
        let numbers = container.certificate_length() as u16;
        let time = self.with(bytes, |image| most_steps(image, numbers));
        1 + parts.iter().sum::<u64>() + time
    }

    /// Whether a job is late, tick by tick, with all jobs at their bounds and all that may be lost, from a
    /// phase of the losses on.
    fn is_late(&self, phase: u32) -> bool {
        // Of each job: what is left, and when it is due.
        let mut jobs: Vec<(u32, u32)> = vec![(0, 0); self.tasks.len()];
        let mut lost = 0;
        for now in 0..self.block * self.blocks * 40 {
            if jobs.iter().any(|(left, due)| *left > 0 && *due <= now) {
                return true;
            }
            for loss in &self.losses {
                let from = if loss.is_in_step { now } else { now + phase };
                // At the end of a period, and at once at the beginning of the next.
                let comes = if from / loss.period % 2 == 0 { loss.period - loss.worst } else { 0 };
                lost += if from % loss.period == comes { loss.worst } else { 0 };
            }
            for (job, row) in jobs.iter_mut().zip(&self.tasks) {
                if now % (row.0 * self.block) == 0 {
                    *job = (row.2, now + row.1);
                }
            }
            if lost > 0 {
                lost -= 1;
                continue;
            }
            let urgency = |task: usize| match self.policies[usize::from(self.tasks[task].3)] {
                Policy::EarliestDeadline => (self.tasks[task].3, jobs[task].1, task),
                _ => (self.tasks[task].3, 0, task),
            };
            let ready = (0..jobs.len()).filter(|task| jobs[*task].0 > 0);
            if let Some(task) = ready.min_by_key(|task| urgency(*task)) {
                jobs[task].0 -= 1;
            }
        }
        false
    }

    fn may_be_late(&self) -> bool {
        (0..26).any(|phase| self.is_late(phase))
    }
}

fn container(durations: &[u64], code: &[Instruction], certificate: &[u32]) -> Vec<u8> {
    let durations: Vec<_> = durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
    let content = Content {
        module: "m",
        durations: &durations,
        code: &code,
        tasks: &TASKS,
        drivers: &DRIVERS,
        certificate,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

/// The first task is released every 10 ticks, in a module with a slot. Thread 3 of process 1 loads, 4 idles.
fn every_10() -> System<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(4), Queue::Fixed]);
    let tasks = [draft.task(2, 0, 0), draft.task(2, 0, 0), draft.task(2, 0, 0)];
    draft.free(1, 1, 1);
    for (place, task) in (0..).zip(tasks) {
        draft.copy(task, 0x100 + 4 * place, 0x200 + 4 * place, 4);
    }
    let module = draft.program(&[10], &[PERIOD, release(tasks[0], 0), future(0, 0), RETURN]);
    let bytes = container(&[], &[], &[]);
    draft.slot(module, Container::read(&bytes).expect("a fresh container").interface());
    draft.finish().0
}

/// What the kernel says of a program, and after how many calls.
fn checked(rig: &Rig<Swapping>, bytes: &[u8]) -> (Rig<Swapping>, String, usize) {
    let mut rig = rig.clone();
    load(bytes).into_iter().for_each(|step| rig.step(step));
    let (answer, steps) = check(&mut rig);
    (rig, answer, steps)
}

fn started(system: &System<Swapping>) -> Rig<Swapping> {
    play(system, &[Call(Complete), At(1)])
}

/// As the check's calls say it.
fn said(answer: Result<(), Refused>) -> String {
    match answer.map_err(Refused::encode) {
        Ok(()) => "Accepted".to_owned(),
        Err((reason, address)) => format!("Refused {{ reason: {reason}, address: {address} }}"),
    }
}

/// Three tasks: two with deadlines before the ends of their periods, and a tick in ten lost.
fn plain() -> Case {
    Case {
        block: 10,
        blocks: 2,
        tasks: vec![(1, 6, 3, 0), (1, 9, 2, 0), (2, 20, 2, 0)],
        policies: vec![Policy::EarliestDeadline],
        losses: vec![Loss { period: 10, worst: 1, is_in_step: true }],
    }
}

#[test]
fn a_certified_program_takes_over_after_fewer_steps() {
    let case = plain();
    let rig = started(&case.system());
    let numbers = case.numbers().expect("it's there");
    // What may come in 9 ticks takes 9; at 6, three ticks of work are due, and two may be lost.
    assert_eq!(numbers, [9, 6]);
    let (_, answer, without) = checked(&rig, &case.container(&[]));
    assert_eq!(answer, "Accepted");
    let (mut rig, answer, with) = checked(&rig, &case.container(&numbers));
    assert_eq!(answer, "Accepted");
    assert!(with < without, "{with} steps with the certificate, {without} without");
    let begin = rig.host().log.len();
    rig.step(At(10));
    let records = only_records(rig.host().log.split_off(begin));
    let expected = ["10 swap 0 to room 1 at 10"];
    assert_story(&records[..1], &expected);
}

/// Whatever else it is, and without a step of the other check.
#[test]
fn a_slot_that_wants_a_certificate_takes_no_program_without() {
    let case = plain();
    let mut system = case.system();
    system.program_slots[0].terms.certified_only = true;
    let rig = started(&system);
    let (_, answer, steps) = checked(&rig, &case.container(&[]));
    assert_eq!(answer, said(Err(Refused::Uncertified)));
    let container = case.container(&[]);
    let container = Container::read(&container).expect("a fresh container");
    let parts = [steps::reading, steps::structure, steps::weight].map(|most| most(&container));
    assert!(steps as u64 <= 1 + parts.iter().sum::<u64>(), "{steps}");
    let numbers = case.numbers().expect("it's there");
    assert_eq!(checked(&rig, &case.container(&numbers)).1, "Accepted");
    assert!(checked(&rig, &case.container(&[5])).1.starts_with("Refused"));
}

#[test]
fn a_number_that_does_not_hold_is_named() {
    let case = plain();
    let rig = started(&case.system());
    let busy = |numbers: &[u32]| checked(&rig, &case.container(numbers)).1;
    let refused = |number: u16| format!("Refused {{ reason: {}, address: {number} }}", 0x800);
    // A busy period isn't that short; a number is missing; the one behind is no smaller; too much is due for the next.
    assert_eq!(busy(&[5]), refused(0));
    assert_eq!(busy(&[9]), refused(1));
    assert_eq!(busy(&[9, 9]), refused(1));
    assert_eq!(busy(&[9, 5]), refused(1));
    // What comes behind isn't looked at.
    assert_eq!(busy(&[9, 6, 0, 99]), "Accepted");
    let mut late = case.clone();
    late.tasks[0].2 = 5;
    let rig = started(&late.system());
    // Seven ticks may be needed by 6, so no number helps behind that.
    assert_eq!(checked(&rig, &late.container(&[19, 16, 9, 6])).1, refused(4));
    assert_eq!(checked(&rig, &late.container(&[19, 16, 9, 6, 0])).1, refused(4));
    // A rank by priority has a number for each task.
    let mut fixed = case;
    fixed.policies[0] = Policy::FixedPriority;
    let rig = started(&fixed.system());
    let responses = |numbers: &[u32]| checked(&rig, &fixed.container(numbers)).1;
    assert_eq!(responses(&[5, 7, 15]), "Accepted");
    assert_eq!(responses(&[4, 7, 15]), refused(0));
    assert_eq!(responses(&[5, 10, 15]), refused(1));
    assert_eq!(responses(&[5, 7]), refused(2));
}

/// What a certificate can't speak of is refused where it stands, not carried out instead.
#[test]
fn what_is_outside_of_the_class_is_refused_with_a_certificate() {
    let rig = started(&every_10());
    let guarded = [PERIOD, branch(2), release(ThreadId(0), 0), future(0, 0), RETURN];
    let early = [PERIOD, release(ThreadId(0), 0), call(DriverId(0)), future(0, 0), RETURN];
    for (code, reason, address) in [(guarded, 0x605, 1), (early, 0x600, 2)] {
        let (_, answer, _) = checked(&rig, &container(&[8], &code, &[100, 1]));
        assert_eq!(answer, format!("Refused {{ reason: {reason}, address: {address} }}"));
    }
}

/// With what is lost at a distance that has nothing in common with the program's, everything repeats after
/// ten thousand instants.
#[test]
fn a_long_hyperperiod_needs_a_certificate() {
    let mut case = plain();
    case.losses = vec![Loss { period: 9973, worst: 1, is_in_step: true }];
    let rig = started(&case.system());
    let numbers = case.with(&case.container(&[]), |image| {
        let time = Time::new(image, 0, PATIENCE);
        let carried_out = time.run(image, &mut vec![0; time.words(0)]);
        assert_eq!(carried_out.map_err(|breach| breach.fault), Err(Fault::Long));
        certificate(image).expect("it's there")
    });
    let (_, answer, steps) = checked(&rig, &case.container(&numbers));
    assert_eq!(answer, "Accepted");
    assert!(steps < 250, "{steps} steps");
}

/// Cut at every word, and every bit flipped: never accepted.
#[test]
fn what_is_damaged_on_the_way_is_never_accepted() {
    let case = plain();
    let rig = started(&case.system());
    let whole = case.container(&[9, 6]);
    assert_eq!(checked(&rig, &whole).1, "Accepted");
    let cut = (4..whole.len()).step_by(4).map(|length| whole[..length].to_vec());
    let flipped = (0..whole.len() * 8).map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    for bytes in cut.chain(flipped) {
        let (_, answer, _) = checked(&rig, &bytes);
        assert!(answer.starts_with("Refused"), "{answer} for {bytes:02x?}");
    }
}

/// High programs in random supplies: the kernel answers as the same check does elsewhere; it accepts what was
/// found, and whatever the numbers are, nothing that may be late.
#[test]
fn no_certificate_makes_a_late_job_acceptable() {
    let (mut accepted, mut refused, mut late) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = High::new(seed);
        let case = Case::random(&mut random);
        let rig = started(&case.system());
        let may_be_late = case.may_be_late();
        let found = case.numbers();
        for numbers in case.attempts(&mut random) {
            let bytes = case.container(&numbers);
            if numbers.is_empty() || bytes.len() > ROOM {
                continue;
            }
            let (_, answer, steps) = checked(&rig, &bytes);
            assert!(steps as u64 <= case.most_steps(&bytes), "seed {seed}: {steps} {numbers:?} {case:?}");
            assert_eq!(answer, said(case.on_the_host(&bytes)), "seed {seed}: {numbers:?} {case:?}");
            let is_accepted = answer == "Accepted";
            assert!(!(is_accepted && may_be_late), "seed {seed}: {numbers:?} {case:?}");
            assert!(is_accepted || found.as_ref() != Some(&numbers), "seed {seed}: {numbers:?} {case:?}");
            *(if is_accepted { &mut accepted } else { &mut refused }) += 1;
            late += usize::from(may_be_late);
        }
    }
    assert!(
        accepted > 300 && refused > 300 && late > 300,
        "{accepted} accepted, {refused} refused, {late} late"
    );
}
