//! Random systems as texts, so that each can be built, inspected and reported.

use beryl_testing::{Draw, SplitMix64 as Random};

use std::fmt::Write as _;

use beryl_builder::board::MEASURED;

use crate::modules;
pub use crate::seeds::{CHAINED, CONSTANT, FURTHER, MORE, NESTED, RULED, SHARED, SUPPLIED, WINDOWED};
use crate::supplied::OFTEN;
use crate::windowed::{ALONE, Windows};

/// Periods in tenths of a millisecond; their hyperperiod is 40 ms.
const PERIODS: [u64; 7] = [20, 40, 50, 80, 100, 200, 400];

/// A system's texts.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The description.
    pub description: String,
    /// The timing program; empty if there is none.
    pub timing: String,
}

/// The kind of systems to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everything.
    Any,
    /// Periodic threads that start together, in one band, independent: there are exact tests for these.
    Exact,
    /// Modules with the same period, so that all their programs run at the same instants.
    Together,
    /// Periodic threads in one band with a ceiling lock, and no thread below them.
    Sections,
    /// Everything that the emulated board can run: an interrupt of its device, and no costs but the board's
    /// own.
    Board,
}

/// The interrupt line of the board's device that threads may wait for.
pub const BELL: u64 = 10;
/// On a board, threads have code, which needs time and memory: microseconds of a driver, bytes of stacks.
const OWN_CODE: u64 = 60;
const STACK: [u64; 2] = [512, 1024];

/// A thread or task before it gets its band and its time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    pub name: String,
    pub form: Form,
    /// In tenths of a millisecond.
    pub period: u64,
    /// Its share of the whole, relative to the sum of all `share`s.
    pub share: u64,
    pub band: usize,
    pub uses: Vec<String>,
    pub holds: Vec<(String, u64)>,
    pub process: usize,
    /// Whether it is done well before its next release, since another thread waits for it.
    pub is_prompt: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    Task,
    /// A task released by events, once in its period.
    Event,
    #[default]
    Periodic,
    /// Served by its interrupt.
    Sporadic(u64),
    /// Woken by another thread, once in its period, and up to half of that later.
    Woken,
    /// Sleeps until its period is over.
    Sleeping,
}

/// Instead of a band's number: the band scheduled by S code.
pub const CODED: usize = usize::MAX;
/// The band of tasks released by events.
pub const EVENTS: usize = usize::MAX - 1;

/// Draws the system of a seed.
pub fn draw(seed: u64, kind: Kind) -> Written {
    let mut random = Random(seed);
    let mut drawing = Drawing::of(&mut random, kind);
    // A room with budgets has nothing else, nor has one with chains.
    let is_supplied = seed >= SUPPLIED && kind == Kind::Any;
    if seed >= MORE && !is_supplied && matches!(kind, Kind::Any | Kind::Board) {
        drawing.more();
    }
    if seed >= FURTHER && !is_supplied && kind == Kind::Any {
        drawing.further();
    }
    match is_supplied {
        true if seed >= CHAINED => drawing.chained(),
        true if seed >= CONSTANT => drawing.constant(),
        true if seed >= NESTED => drawing.nested(seed % 2 == 1),
        true if seed >= WINDOWED => drawing.windowed(&ALONE),
        true if seed >= SHARED => drawing.shared(seed % 2 == 1, &crate::shared::ANYWHERE),
        true => drawing.supplied(seed >= RULED, &OFTEN),
        false => {}
    }
    drawing.text()
}

pub(crate) struct Drawing<'a> {
    pub random: &'a mut Random,
    pub kind: Kind,
    /// Whether each band is dynamic.
    pub bands: Vec<bool>,
    pub jobs: Vec<Job>,
    /// Sections and tables of objects.
    pub objects: String,
    pub timing: String,
    drivers: Vec<String>,
    /// Bands below those of jobs, above that of the background.
    pub lower: String,
    /// A thread before all others.
    pub first: String,
    /// Unproved threads.
    pub others: String,
    pub windows: Windows,
    pub speed: u64,
    /// How much of the drawn load there is, in hundredths.
    pub part: u64,
}

impl<'a> Drawing<'a> {
    fn of(random: &'a mut Random, kind: Kind) -> Drawing<'a> {
        let bands = match kind {
            Kind::Exact | Kind::Together | Kind::Sections => 1,
            Kind::Any | Kind::Board => random.within(1, 3),
        };
        let bands = (0..bands).map(|_| random.chance(50)).collect();
        let speed = match kind {
            // Few enough instructions per run to log each of them.
            Kind::Board => random.within(4, 5),
            _ => random.within(1, 5),
        };
        let mut drawing = Drawing {
            random,
            kind,
            bands,
            jobs: Vec::new(),
            objects: String::new(),
            timing: String::new(),
            drivers: Vec::new(),
            lower: String::new(),
            first: String::new(),
            others: String::new(),
            windows: Windows::default(),
            speed,
            part: 100,
        };
        match kind {
            Kind::Exact => drawing.threads(),
            Kind::Together => drawing.modules_together(),
            Kind::Sections => drawing.sections(),
            Kind::Any | Kind::Board => {
                drawing.threads();
                drawing.modules();
                drawing.locks();
                drawing.server();
                drawing.background();
            }
        }
        drawing
    }

    fn threads(&mut self) {
        let is_any = self.kind != Kind::Exact;
        let periodic = self.random.within(if is_any { 0 } else { 2 }, 5);
        let sporadic = match self.kind {
            Kind::Any => self.random.within(0, 2),
            Kind::Board => self.random.within(0, 1),
            Kind::Exact | Kind::Together | Kind::Sections => 0,
        };
        for number in 0..periodic {
            let job = self.job(format!("p{number}"), Form::Periodic);
            self.jobs.push(job);
        }
        for line in 0..sporadic {
            let name = format!("s{line}");
            let number = if self.kind == Kind::Board { BELL } else { line + 2 };
            let _ = writeln!(self.objects, "[interrupt.i{line}]\nline = {number}");
            let mut job = self.job(name, Form::Sporadic(line));
            if self.kind == Kind::Board {
                // The device belongs to one process.
                job.process = 0;
            }
            job.uses.push(format!("i{line}"));
            self.jobs.push(job);
        }
        if self.jobs.is_empty() {
            let job = self.job("p0".to_owned(), Form::Periodic);
            self.jobs.push(job);
        }
    }

    pub fn job(&mut self, name: String, form: Form) -> Job {
        let band = usize::try_from(self.random.within(0, self.bands.len() as u64 - 1)).unwrap_or_default();
        Job {
            name,
            form,
            period: *self.random.one_of(&PERIODS),
            share: self.random.within(1, 10),
            band,
            process: usize::from(self.random.chance(50)),
            ..Job::default()
        }
    }

    fn modules(&mut self) {
        let count = *self.random.one_of(&[0, 0, 1, 1, 2]);
        for number in 0..count {
            let module = modules::draw(self.random, number);
            self.timing += &module.text;
            self.drivers.extend(module.drivers);
            for (name, shortest) in module.tasks {
                let mut job = self.job(name, Form::Task);
                job.period = shortest;
                self.jobs.push(job);
            }
        }
    }

    fn modules_together(&mut self) {
        for number in 0..self.random.within(3, 5) {
            let (name, text) = modules::plain(number);
            self.timing += &text;
            let mut job = self.job(name, Form::Task);
            job.period = modules::PLAIN;
            self.jobs.push(job);
        }
    }

    fn sections(&mut self) {
        for number in 0..self.random.within(2, 3) {
            let mut job = self.job(format!("p{number}"), Form::Periodic);
            job.process = 0;
            job.uses.push("l0".to_owned());
            job.holds.push(("l0".to_owned(), self.random.within(4, 40) * 10));
            self.jobs.push(job);
        }
        self.objects += "[lock.l0]\n";
    }

    /// Ceiling locks belong to one process; semaphores may be shared by all.
    fn locks(&mut self) {
        for number in 0..self.random.within(0, 2) {
            let name = format!("l{number}");
            let process = usize::from(self.random.chance(50));
            if self.give(&name, |job| job.process == process) {
                let _ = writeln!(self.objects, "[lock.{name}]");
            }
        }
        if self.random.chance(40) && self.give("b0", |job| job.uses.is_empty() || job.form != Form::Task) {
            self.objects += "[semaphore.b0]\nkind = \"binary\"\n";
        }
    }

    /// Lets some jobs use a lock; returns whether at least two do.
    pub fn give(&mut self, name: &str, may: impl Fn(&Job) -> bool) -> bool {
        let all: Vec<usize> = (0..self.jobs.len()).filter(|index| may(&self.jobs[*index])).collect();
        if all.len() < 2 {
            return false;
        }
        let mut users = all.clone();
        while users.len() > 2 && self.random.chance(60) {
            let index = usize::try_from(self.random.within(0, users.len() as u64 - 1)).unwrap_or_default();
            users.swap_remove(index);
        }
        for user in users {
            let hold = self.random.within(1, 40) * 10;
            self.jobs[user].uses.push(name.to_owned());
            self.jobs[user].holds.push((name.to_owned(), hold));
        }
        true
    }

    fn server(&mut self) {
        let is_free = |job: &Job| !job.uses.iter().any(|used| used.starts_with('b'));
        if !self.random.chance(25) || self.jobs.iter().filter(|job| is_free(job)).count() < 2 {
            return;
        }
        let hold = self.random.within(1, 30) * 10;
        let mut clients = 0;
        for job in self.jobs.iter_mut().filter(|job| is_free(job)) {
            if clients < 1 || self.random.chance(40) {
                job.uses.push("e0.call".to_owned());
                job.holds.push(("e0".to_owned(), hold));
                clients += 1;
            }
        }
        let _ =
            writeln!(self.objects, "[endpoint.e0]\nrequest = \"int\"\nreply = \"int\"\nhold = \"{hold}us\"");
        let _ = writeln!(
            self.others,
            "[thread.server]\nprocess = \"two\"\nband = \"rest\"\npriority = 9\nentry = \"server\"\n\
             stack = \"{}\"\nuses = [\"e0.serve\"]",
            self.stack()
        );
    }

    /// A thread that takes the remaining time, and calls the kernel.
    fn background(&mut self) {
        if self.random.chance(50) {
            let _ = writeln!(
                self.others,
                "[thread.busy]\nprocess = \"one\"\nband = \"rest\"\npriority = 1\nentry = \"busy\"\nstack = \"{}\"",
                self.stack()
            );
        }
    }

    fn text(mut self) -> Written {
        let mut text = String::from("[system]\nname = \"drawn\"\n");
        if !self.timing.is_empty() {
            text += "timing = [\"drawn.tdl\"]\n";
        }
        let _ = writeln!(
            text,
            "application = \"app\"\n\n[board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\nspeed = {}\n",
            self.speed
        );
        let stack = self.stack();
        let devices = if self.kind == Kind::Board { "devices = [\"dualtimer\"]\n" } else { "" };
        let _ = writeln!(
            text,
            "[process.one]\nmemory = \"256\"\ndriver_stack = \"{stack}\"\n{devices}[process.two]\nmemory = \"256\"\n"
        );
        if self.others.contains("band = \"above\"") {
            text += "[[band]]\nname = \"above\"\npolicy = \"fixed\"\n";
            text += &self.windows.of("above");
        }
        for (index, is_dynamic) in self.bands.iter().enumerate() {
            let policy = if *is_dynamic { "dynamic" } else { "fixed" };
            let _ = writeln!(text, "[[band]]\nname = \"b{index}\"\npolicy = \"{policy}\"");
            text += &self.windows.of(&format!("b{index}"));
        }
        text += &self.lower;
        text += "[[band]]\nname = \"rest\"\npolicy = \"fixed\"\n\n";
        text += &self.windows.section;
        text += &self.first;
        text += &self.times();
        for driver in &self.drivers {
            let own = if self.kind == Kind::Board { OWN_CODE } else { 0 };
            let worst = self.random.within(2, 60) + own;
            let _ = writeln!(text, "[driver.{driver}]\nprocess = \"one\"\nworst = \"{worst}us\"");
        }
        text += &self.others;
        text += &self.objects;
        text += &self.kernel();
        Written { description: text, timing: self.timing }
    }

    pub fn stack(&self) -> u64 {
        STACK[usize::from(self.kind == Kind::Board)]
    }

    /// For some systems, costs of another kernel than the board's.
    fn kernel(&mut self) -> String {
        if self.kind != Kind::Any || !self.random.chance(15) {
            return String::new();
        }
        let mut text = String::from("[kernel]\n");
        for (term, most) in [
            ("release", 40),
            ("completion", 40),
            ("switch", 20),
            ("instant", 300),
            ("driver", 40),
            ("alarm", 40),
        ] {
            if self.random.chance(40) {
                let _ = writeln!(text, "{term} = \"{}us\"", self.random.within(1, most));
            }
        }
        text
    }

    /// The sections of all jobs; the more urgent ones usually have shorter deadlines.
    fn times(&mut self) -> String {
        let load = match self.kind {
            Kind::Any => self.random.within(15, 95) * 10,
            Kind::Board | Kind::Together | Kind::Sections => self.random.within(10, 60) * 10,
            // Around the capacity of the processor.
            Kind::Exact => self.random.within(70, 110) * 10,
        };
        let shares: u64 = self.jobs.iter().map(|job| job.share).sum();
        let mut jobs = std::mem::take(&mut self.jobs);
        jobs.sort_by_key(|job| job.period);
        let mut text = String::new();
        for (number, job) in jobs.iter().enumerate() {
            // In microseconds.
            let held: u64 = job.holds.iter().map(|(_, hold)| hold).sum();
            let work = job.period * self.part * load * job.share / shares.max(1) / 1000;
            let worst = work.max(20) + held;
            text += &self.section(job, number, worst);
        }
        self.jobs = jobs;
        text
    }

    fn section(&mut self, job: &Job, number: usize, worst: u64) -> String {
        let process = if job.process == 0 { "one" } else { "two" };
        let is_task = matches!(job.form, Form::Task | Form::Event);
        let what = if is_task { "task" } else { "thread" };
        let mut text =
            format!("[{what}.{}]\nprocess = \"{process}\"\nstack = \"{}\"\n", job.name, self.stack());
        let band = match job.band {
            CODED => "coded".to_owned(),
            EVENTS => "events".to_owned(),
            band => format!("b{band}"),
        };
        let _ = writeln!(text, "band = \"{band}\"\nworst = \"{worst}us\"");
        let is_dynamic = self.bands.get(job.band).copied().unwrap_or_default();
        if job.band == EVENTS {
            // As in the timing program.
            let _ = writeln!(text, "priority = 5");
        } else if !is_dynamic && job.band != CODED {
            let usual = 30_u64.saturating_sub(u64::try_from(number).unwrap_or_default() * 2);
            // Some are put where they shouldn't be.
            let is_moved = self.kind != Kind::Exact && self.random.chance(12);
            let priority = if is_moved { self.random.within(1, 15) * 2 + 1 } else { usual };
            let _ = writeln!(text, "priority = {priority}");
        }
        let period = job.period * 100;
        let least = (worst * 2).min(period);
        let deadline = if self.random.chance(35) { self.random.within(least, period) } else { period };
        match job.form {
            Form::Event => {}
            Form::Woken | Form::Sleeping => {
                let _ = writeln!(text, "entry = \"{}\"\nseparation = \"{period}us\"", job.name);
                if is_dynamic {
                    let _ = writeln!(text, "deadline = \"{period}us\"");
                }
                if job.form == Form::Woken {
                    let _ = writeln!(text, "jitter = \"{}us\"", period / 2);
                }
            }
            Form::Task => {
                if job.band != CODED && self.random.chance(25) {
                    let _ = writeln!(text, "deadline = \"{deadline}us\"");
                }
            }
            Form::Periodic => {
                let _ = writeln!(text, "entry = \"{}\"\nperiod = \"{period}us\"", job.name);
                let has_offset = self.kind != Kind::Exact && self.random.chance(25);
                if has_offset {
                    let _ = writeln!(text, "offset = \"{}us\"", self.random.within(0, period / 100) * 100);
                }
                if job.is_prompt {
                    let _ = writeln!(text, "deadline = \"{}us\"", period / 4 * 3);
                } else if deadline < period {
                    let _ = writeln!(text, "deadline = \"{deadline}us\"");
                }
                if !job.is_prompt && self.kind != Kind::Exact && self.random.chance(8) {
                    let _ = writeln!(text, "catch_up = {}", self.random.within(1, 3));
                }
            }
            Form::Sporadic(_) => {
                let _ = writeln!(text, "entry = \"{}\"\nseparation = \"{period}us\"", job.name);
                if is_dynamic {
                    let _ = writeln!(text, "deadline = \"{deadline}us\"");
                }
                if self.random.chance(40) {
                    let most = (if is_dynamic { deadline } else { period }) / 4;
                    let _ = writeln!(text, "jitter = \"{}us\"", self.random.within(0, most));
                }
            }
        }
        if !job.uses.is_empty() {
            let _ = writeln!(text, "uses = {:?}", job.uses);
        }
        if !job.holds.is_empty() {
            let holds: Vec<_> =
                job.holds.iter().map(|(name, hold)| format!("{name} = \"{hold}us\"")).collect();
            let _ = writeln!(text, "hold = {{ {} }}", holds.join(", "));
        }
        text
    }
}
