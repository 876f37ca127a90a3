//! More features of a description: threads that others wake, or that sleep; messages, units and values; a
//! band scheduled by S code; and one of these: a task released by an interrupt, one released by a change, a
//! slot and the thread that fills it, or a trace buffer.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::written::{CODED, Drawing, EVENTS, Form, Kind};

impl Drawing<'_> {
    /// Draws them, after everything else.
    pub fn more(&mut self) {
        if self.random.chance(40) {
            self.woken("n0", "notification");
        }
        if self.random.chance(25) {
            self.woken("m0", "mailbox");
        }
        if self.random.chance(30) {
            let job = self.job("sleeping".to_owned(), Form::Sleeping);
            self.jobs.push(job);
        }
        if self.random.chance(25) {
            self.value();
        }
        if self.random.chance(15) {
            self.units();
        }
        if self.random.chance(25) {
            self.coded();
        }
        match self.random.within(0, 5) {
            0 => self.event("pulse"),
            1 => self.event("change"),
            2 => self.listener(),
            3 => self.slot(),
            _ => {}
        }
    }

    /// A thread that a periodic one wakes with each of its jobs, at some point. The periodic one is done
    /// after three quarters of its period, so the woken thread has half the period as its separation, and may
    /// be later by a quarter.
    fn woken(&mut self, object: &str, kind: &str) {
        let is_free = |form: Form| form == Form::Periodic;
        let Some(waker) = self.jobs.iter().position(|job| is_free(job.form) && !job.is_prompt) else {
            return;
        };
        let (wakes, waits, more) = match kind {
            "mailbox" => ("send", "receive", "type = \"int\"\ncapacity = 4\n"),
            _ => ("notify", "wait", ""),
        };
        self.jobs[waker].is_prompt = true;
        self.jobs[waker].uses.push(format!("{object}.{wakes}"));
        let mut job = self.job(format!("c{object}"), Form::Woken);
        job.period = self.jobs[waker].period / 2;
        job.uses.push(format!("{object}.{waits}"));
        self.jobs.push(job);
        let _ = write!(self.objects, "[{kind}.{object}]\n{more}");
    }

    /// A value that a periodic thread writes and others read by a call.
    fn value(&mut self) {
        let Some(writer) = self.jobs.iter().position(|job| job.form == Form::Periodic) else { return };
        let mut readers = 0;
        for reader in 0..self.jobs.len() {
            if reader != writer && self.random.chance(50) {
                self.jobs[reader].uses.push("v0.read_slow".to_owned());
                readers += 1;
            }
        }
        if readers > 0 {
            self.jobs[writer].uses.push("v0.write".to_owned());
            self.objects += "[state.v0]\ntype = \"int[4]\"\n";
        }
    }

    /// Units that threads take if there are any.
    fn units(&mut self) {
        let takers: Vec<usize> =
            (0..self.jobs.len()).filter(|job| self.jobs[*job].form == Form::Periodic).collect();
        if takers.is_empty() {
            return;
        }
        for taker in takers {
            self.jobs[taker].uses.push("u0".to_owned());
        }
        self.objects += "[semaphore.u0]\nkind = \"counting\"\ninitial = 1\nmost = 3\n";
    }

    /// A module whose tasks are scheduled by S code, in a band below all other proved ones.
    fn coded(&mut self) {
        let scheme = *self.random.one_of(&["earliest-deadline", "non-preemptive", "rate-monotonic"]);
        let _ =
            writeln!(self.lower, "[[band]]\nname = \"coded\"\npolicy = \"code\"\nschedule = \"{scheme}\"");
        let (mut tasks, mut activities) = (String::new(), String::new());
        for number in 0..self.random.within(1, 3) {
            let name = format!("k{number}");
            let frequency = *self.random.one_of(&[1, 2, 4]);
            let _ =
                writeln!(tasks, "  task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}");
            let _ = writeln!(activities, "    task [freq = {frequency}] {name}({name}.x);");
            let mut job = self.job(name, Form::Task);
            (job.period, job.band, job.share) = (400 / frequency, CODED, self.random.within(1, 2));
            self.jobs.push(job);
        }
        let _ = writeln!(
            self.timing,
            "module Coded {{\n{tasks}  start mode coded [period = 40ms] {{\n{activities}  }}\n}}"
        );
    }

    /// A task released by an interrupt, or by a change of a task's output.
    fn event(&mut self, kind: &str) {
        let is_pulse = kind == "pulse";
        if is_pulse && self.kind == Kind::Board && self.jobs.iter().any(|job| job.form == Form::Sporadic(0)) {
            // There is only one device.
            return;
        }
        self.lower += "[[band]]\nname = \"events\"\npolicy = \"fixed\"\n";
        let mut job = self.job("e0".to_owned(), Form::Event);
        job.band = EVENTS;
        let trigger = if is_pulse { "pulse" } else { "q0.x" };
        let mut source = self.job("q0".to_owned(), Form::Task);
        source.period = 100;
        if is_pulse {
            let line = if self.kind == Kind::Board { crate::written::BELL } else { 7 };
            let _ = writeln!(
                self.objects,
                "[interrupt.pulse]\nline = {line}\nseparation = \"{}us\"",
                job.period * 100
            );
        } else {
            job.period = source.period;
        }
        self.jobs.extend([job, source]);
        let _ = writeln!(
            self.timing,
            "module Events {{\n  task q0 {{ input int a; output int x := 0; uses f_q0(a, x); }}\n  \
             task e0 {{ input int a; output int x := 0; uses f_e0(a, x); }}\n  \
             start mode events [period = 40ms] {{\n    task [freq = 4] q0(q0.x);\n  }}\n  \
             asynchronous {{\n    task [trigger = {trigger}, priority = 5] e0(q0.x);\n  }}\n}}"
        );
    }

    /// A module that accepts other programs, and a thread that loads one: the module's own, again and again,
    /// which is checked and takes over each time.
    fn slot(&mut self) {
        let (mut tasks, mut activities) = (String::new(), String::new());
        for number in 0..self.random.within(1, 2) {
            let name = format!("z{number}");
            let frequency = *self.random.one_of(&[1, 2, 4]);
            let _ =
                writeln!(tasks, "  task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}");
            let _ = writeln!(activities, "    task [freq = {frequency}] {name}({name}.x);");
            let mut job = self.job(name, Form::Task);
            job.period = 200 / frequency;
            self.jobs.push(job);
        }
        let _ = writeln!(
            self.timing,
            "module Slotted {{\n{tasks}  start mode slotted [period = 20ms] {{\n{activities}  }}\n}}"
        );
        let mut loader = self.job("loader".to_owned(), Form::Periodic);
        loader.uses.push("Slotted".to_owned());
        self.jobs.push(loader);
        self.objects += "[slot.Slotted]\nsize = \"1k\"\n";
    }

    /// A trace buffer, and the thread that empties it: the first one, as [rooms](crate::rooms) require.
    fn listener(&mut self) {
        let tasks = self.jobs.iter().filter(|job| matches!(job.form, Form::Task | Form::Event)).count();
        if tasks > crate::rooms::MOST_TASKS {
            return;
        }
        let stack = self.stack();
        self.first = format!(
            "[thread.listener]\nprocess = \"two\"\nband = \"rest\"\npriority = 5\nentry = \"listener\"\nstack = \"{stack}\"\n\
             uses = [\"trace\"]\n"
        );
        self.objects += "[trace]\nbuffer = \"1k\"\n";
    }
}
