//! A reference model of scheduling and of the E machine, in the plainest code.
//!
//! It knows neither system code nor trees, rings or steps: at every instant it asks each activity
//! whether it is due, and whenever it has to choose it sorts the list of ready jobs.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod plan;
pub mod tables;

use beryl_kernel::OnSpent;
use plan::{Job, Plan, result_of};

use crate::host::draft::Queue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Dormant,
    Ready,
    Stopped,
    /// Its job was ended, and its program doesn't know yet.
    Spent,
}

#[derive(Clone, Debug)]
struct Thread {
    life: Life,
    process: u8,
    band: u8,
    priority: u8,
    deadline: u64,
    /// When it came to the end of its queue: for first come, first served.
    turn: u64,
    jobs: u64,
    job: Job,
    remaining: u64,
    /// What its job has used, and whether that was told to be too much.
    used: u64,
    told: bool,
    input: u32,
    /// The result of the last job that completed; what a job at work has written doesn't count.
    private: u32,
    visible: u32,
}

struct Model<'a> {
    plan: &'a Plan,
    /// Tasks, then free threads.
    threads: Vec<Thread>,
    stopped: Vec<bool>,
    /// The thread that has the processor; the number of threads stands for idling.
    running: usize,
    displaced: bool,
    now: u64,
    turns: u64,
    /// The next instant that hasn't been carried out.
    instant: u64,
    log: Vec<String>,
}

/// The records of a plan's run until `end`, which isn't taken part in any more.
pub fn run(plan: &Plan, end: u64) -> Vec<String> {
    let mut model = Model::new(plan);
    model.carry_out();
    model.decide();
    while model.step(end) {}
    model.log
}

impl Model<'_> {
    fn new(plan: &Plan) -> Model<'_> {
        let dormant = Thread {
            life: Life::Dormant,
            process: 0,
            band: 0,
            priority: 0,
            deadline: 0,
            turn: 0,
            jobs: 0,
            job: Job { time: 0, faults: false },
            remaining: 0,
            used: 0,
            told: false,
            input: 0,
            private: 0,
            visible: 0,
        };
        let tasks = plan.tasks.iter().map(|task| Thread {
            process: task.process,
            band: task.band,
            priority: task.priority,
            ..dormant.clone()
        });
        let free = (1..).zip(&plan.free).map(|(turn, free)| Thread {
            life: Life::Ready,
            process: free.process,
            band: free.band,
            priority: free.priority,
            turn,
            remaining: free.quantum,
            ..dormant.clone()
        });
        let threads: Vec<_> = tasks.chain(free).collect();
        Model {
            plan,
            running: threads.len(),
            threads,
            stopped: vec![false; plan.stops_thread_only.len()],
            displaced: true,
            now: 0,
            turns: 100,
            instant: 0,
            log: Vec::new(),
        }
    }

    /// Until the next thing that happens; answers whether that is before `end`.
    fn step(&mut self, end: u64) -> bool {
        let ready = self.running < self.threads.len();
        let done = if ready { self.now + self.threads[self.running].remaining } else { u64::MAX };
        let alarm = self.instant.min(self.end_of_budget());
        let thread_first = if self.plan.completion_first { done <= alarm } else { done < alarm };
        let next = done.min(alarm);
        if next >= end {
            return false;
        }
        if ready {
            self.threads[self.running].remaining -= next - self.now;
            self.threads[self.running].used += next - self.now;
        }
        self.now = next;
        if thread_first {
            self.thread_acts();
        } else if self.end_of_budget() <= self.now {
            self.spend(self.running);
            self.carry_out();
        } else {
            self.carry_out();
        }
        self.decide();
        true
    }

    /// When the running task's job has used more than it may, if it goes on.
    fn end_of_budget(&self) -> u64 {
        let running = self.running;
        match self.plan.enforced.get(running) {
            Some(Some(_)) if !self.threads[running].told => {
                (self.now + self.plan.tasks[running].worst + 1).saturating_sub(self.threads[running].used)
            }
            _ => u64::MAX,
        }
    }

    /// A job has used more than it may.
    fn spend(&mut self, task: usize) {
        self.threads[task].told = true;
        self.note(format!("overrun {task}"));
        match self.plan.enforced[task] {
            Some(OnSpent::EndJob) => {
                self.threads[task].life = Life::Spent;
                self.displaced = true;
            }
            Some(OnSpent::Stop) => self.stop(task, "budget used up"),
            _ => {}
        }
    }

    fn thread_acts(&mut self) {
        let running = self.running;
        if running >= self.plan.tasks.len() {
            self.threads[running].remaining = self.plan.free[running - self.plan.tasks.len()].quantum;
            self.threads[running].turn = self.turn();
        } else if self.threads[running].job.faults {
            self.fault(running);
        } else {
            self.complete(running);
        }
    }

    fn complete(&mut self, task: usize) {
        let thread = &mut self.threads[task];
        thread.life = Life::Dormant;
        thread.private = result_of(task, thread.jobs, thread.input);
        let (deadline, time) = (thread.deadline, thread.job.time);
        self.note(format!("complete {task}"));
        if self.now > deadline {
            self.note(format!("miss {task} by {deadline}"));
        }
        if time > self.plan.tasks[task].worst && !self.threads[task].told {
            self.note(format!("overrun {task}"));
        }
        if self.plan.publishes_at_completion {
            self.publish(task, self.now);
            self.carry_out();
        }
    }

    fn fault(&mut self, task: usize) {
        self.stop(task, "access to memory that isn't its own");
        // Before the processor is given to somebody else, the trigger queue is looked at.
        self.carry_out();
    }

    fn stop(&mut self, task: usize, why: &str) {
        self.note(format!("fault {task}: {why}"));
        self.displaced = true;
        let process = usize::from(self.threads[task].process);
        let alone = self.plan.stops_thread_only[process];
        self.stopped[process] |= !alone;
        for (index, thread) in self.threads.iter_mut().enumerate() {
            if index == task || !alone && usize::from(thread.process) == process {
                thread.life = Life::Stopped;
            }
        }
    }

    /// Everything that is due at instants that have come, instant by instant.
    fn carry_out(&mut self) {
        while self.instant <= self.now {
            let instant = self.instant;
            let plan = self.plan;
            for module in 0..plan.modules.len() {
                for task in self.due_tasks(module, instant) {
                    if instant > 0 && !plan.publishes_at_completion {
                        self.publish(task, instant);
                    }
                }
            }
            let mut number = 2 * plan.tasks.len();
            for (index, module) in plan.modules.iter().enumerate() {
                for (every, source) in &module.actuators {
                    if Plan::is_due(*every, instant) {
                        self.actuate(index, number, *source, instant);
                    }
                    number += 1;
                }
            }
            for module in 0..plan.modules.len() {
                for task in self.due_tasks(module, instant) {
                    self.read(task, instant);
                    self.release(task, instant);
                }
            }
            self.instant = self.next_instant(instant);
        }
    }

    fn due_tasks(&self, module: usize, instant: u64) -> Vec<usize> {
        let tasks = self.plan.tasks.iter().enumerate();
        let due = tasks.filter(|(_, task)| task.module == module && Plan::is_due(task.period, instant));
        due.map(|(index, _)| index).collect()
    }

    fn next_instant(&self, instant: u64) -> u64 {
        let periods = self.plan.tasks.iter().map(|task| task.period);
        let actuators =
            self.plan.modules.iter().flat_map(|module| module.actuators.iter().map(|(every, _)| *every));
        let all = periods.chain(actuators).map(|every| (instant / every + 1) * every);
        all.min().unwrap_or(u64::MAX)
    }

    /// The rule for every driver that touches a task's private ports.
    fn may_touch(&mut self, task: usize, instant: u64) -> bool {
        match self.threads[task].life {
            Life::Dormant => true,
            Life::Ready | Life::Spent => {
                self.violation(task, instant);
                false
            }
            Life::Stopped => {
                self.skip(self.plan.tasks[task].module, instant);
                false
            }
        }
    }

    fn publish(&mut self, task: usize, instant: u64) {
        if self.may_touch(task, instant) {
            self.threads[task].visible = self.threads[task].private;
            self.note(format!("driver {task} at {instant} = {}", self.threads[task].visible));
        }
    }

    /// The next job gets its input even if the last one is stopped for it.
    fn read(&mut self, task: usize, instant: u64) {
        let late = matches!(self.threads[task].life, Life::Ready | Life::Spent);
        if self.may_touch(task, instant) || late {
            self.threads[task].input = self.threads[self.plan.tasks[task].source].visible;
            let number = self.plan.tasks.len() + task;
            self.note(format!("driver {number} at {instant} = {}", self.threads[task].input));
        }
    }

    /// Actuators belong to process 0.
    fn actuate(&mut self, module: usize, number: usize, source: usize, instant: u64) {
        if self.stopped[0] {
            return self.skip(module, instant);
        }
        self.note(format!("driver {number} at {instant} = {}", self.threads[source].visible));
    }

    fn release(&mut self, task: usize, instant: u64) {
        match self.threads[task].life {
            Life::Ready | Life::Spent => self.violation(task, instant),
            Life::Stopped => return self.skip(self.plan.tasks[task].module, instant),
            Life::Dormant => {}
        }
        let turn = self.turn();
        let thread = &mut self.threads[task];
        thread.jobs += 1;
        thread.job = self.plan.job(task, thread.jobs);
        thread.remaining = thread.job.time;
        (thread.used, thread.told) = (0, false);
        thread.deadline = instant + self.plan.tasks[task].within;
        (thread.life, thread.turn) = (Life::Ready, turn);
        let deadline = thread.deadline;
        self.note(format!("release {task} at {instant} by {deadline}"));
    }

    fn violation(&mut self, task: usize, instant: u64) {
        self.threads[task].life = Life::Dormant;
        self.displaced |= task == self.running;
        self.note(format!("violation {task} at {instant}"));
    }

    fn skip(&mut self, module: usize, instant: u64) {
        self.note(format!("skip of {module} at {instant}"));
    }

    /// Sorts whoever is ready, and takes the first.
    fn decide(&mut self) {
        let mut ready: Vec<_> =
            (0..self.threads.len()).filter(|index| self.threads[*index].life == Life::Ready).collect();
        ready.sort_by_key(|index| {
            let thread = &self.threads[*index];
            let rank = match self.plan.bands[usize::from(thread.band)] {
                Queue::Dynamic(_) => (thread.deadline, *index as u64),
                Queue::Fixed => (u64::from(31 - thread.priority), thread.turn),
            };
            (thread.band, rank)
        });
        let next = ready.first().copied().unwrap_or(self.threads.len());
        if next != self.running || self.displaced {
            self.note(format!("switch {} to {next}", self.running));
        }
        self.running = next;
        self.displaced = false;
    }

    fn turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }

    fn note(&mut self, line: String) {
        self.log.push(format!("{} {line}", self.now));
    }
}
