//! Random systems of all that a description can hold, each from the seed that names it.

use std::fmt::Write as _;

use beryl_testing::{Draw, SplitMix64 as Random};

/// A system: its description but for the limits of its memory, and its timing program.
pub struct System {
    description: String,
    pub timing: Option<String>,
}

impl System {
    pub fn of(seed: u64) -> System {
        Writer::new(seed).system()
    }

    /// A system that somebody has thought of: what follows the board, and a timing program.
    pub fn given(text: &str, timing: &str) -> System {
        let timing = (!timing.is_empty()).then(|| timing.to_owned());
        System { description: beginning(timing.is_some()) + text, timing }
    }

    /// The description of the system by this name, with these limits.
    pub fn description(&self, name: &str, flash: &str, ram: &str) -> String {
        self.description.replace("NAME", name).replace("FLASH", flash).replace("RAM", ram)
    }
}

/// A thread, and what it uses.
struct Thread {
    process: u64,
    band: usize,
    is_periodic: bool,
    uses: Vec<String>,
}

struct Writer {
    random: Random,
    processes: u64,
    /// The policies of the bands, but for that of what S code schedules, which stands first.
    bands: Vec<&'static str>,
    threads: Vec<Thread>,
    text: String,
}

/// More than that many parameters have no function in the application.
const MOST_USES: usize = 8;

fn beginning(has_timing: bool) -> String {
    let timing = if has_timing { "timing = [\"random.tdl\"]\n" } else { "" };
    format!(
        "[system]\nname = \"NAME\"\napplication = \"../app\"\n{timing}[board]\nname = \"mps2-an385\"\nflash = \"FLASH\"\n\
         ram = \"RAM\"\nspeed = 0\n"
    )
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut random = Random(seed);
        let processes = 1 + random.under(3);
        let mut bands: Vec<_> = (0..random.under(3)).map(|_| *random.one_of(&["dynamic", "fixed"])).collect();
        bands.push("fixed");
        Writer { random, processes, bands, threads: Vec::new(), text: String::new() }
    }

    fn system(mut self) -> System {
        for _ in 0..self.random.under(6) {
            let (process, band) = (self.random.under(self.processes), self.index(self.bands.len()));
            let is_periodic = self.random.chance(40);
            self.threads.push(Thread { process, band, is_periodic, uses: Vec::new() });
        }
        self.objects();
        let timing = match self.random.chance(75) || self.threads.is_empty() {
            true => Some(self.program()),
            false => None,
        };
        self.write_threads();
        let mut text = beginning(timing.is_some());
        for process in 0..self.processes {
            let memory = 12 + 4 * self.random.under(40);
            let console = if process == 0 { "devices = [\"uart0\"]\n" } else { "" };
            let alone = if self.random.chance(25) { "on_fault = \"stop-thread\"\n" } else { "" };
            let _ = write!(
                text,
                "[process.p{process}]\nmemory = \"{memory}\"\n{console}{alone}driver_stack = \"512\"\n"
            );
        }
        if self.text.contains("band = \"coded\"") {
            let scheme = *self.random.one_of(&["earliest-deadline", "non-preemptive", "rate-monotonic"]);
            let _ = write!(text, "[[band]]\nname = \"coded\"\npolicy = \"code\"\nschedule = \"{scheme}\"\n");
        }
        if self.text.contains("band = \"offered\"") {
            text += "[[band]]\nname = \"offered\"\npolicy = \"dynamic\"\n";
        }
        for (number, policy) in self.bands.iter().enumerate() {
            let _ = write!(text, "[[band]]\nname = \"b{number}\"\npolicy = \"{policy}\"\n");
        }
        if self.text.contains("band = \"last\"") {
            text += "[[band]]\nname = \"last\"\npolicy = \"fixed\"\n";
        }
        System { description: text + &self.text, timing }
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.random.under(length as u64)).expect("it is small")
    }

    /// Some thread with room for another use, that the condition holds for.
    fn some(&mut self, holds: impl Fn(&Thread) -> bool) -> Option<usize> {
        let fits = |row: &Thread| row.uses.len() < MOST_USES && holds(row);
        let fitting: Vec<_> = (0..self.threads.len()).filter(|thread| fits(&self.threads[*thread])).collect();
        if fitting.is_empty() { None } else { Some(*self.random.one_of(&fitting)) }
    }

    /// Lets a thread use something; once is enough.
    fn uses(&mut self, thread: usize, what: &str) {
        let uses = &mut self.threads[thread].uses;
        if !uses.iter().any(|known| known == what) {
            uses.push(what.to_owned());
        }
    }

    /// How many of a kind there are: mostly none or one.
    fn several(&mut self) -> u64 {
        if self.random.chance(45) { 1 + self.random.under(3) } else { 0 }
    }

    /// Objects of each kind, each with those who need it.
    fn objects(&mut self) {
        for number in 0..self.several() {
            let Some(one) = self.some(|_| true) else { continue };
            let process = self.threads[one].process;
            let other = self.some(|thread| thread.process == process).unwrap_or(one);
            let kind = if self.random.chance(50) { "type = \"int[3]\"\n" } else { "" };
            for thread in [one, other] {
                self.uses(thread, &format!("lock{number}"));
            }
            let _ = write!(self.text, "[lock.lock{number}]\n{kind}");
        }
        for number in 0..self.several() {
            let [Some(one), Some(other)] = [self.some(|_| true), self.some(|_| true)] else { continue };
            let kind = match self.random.chance(60) {
                true => "kind = \"binary\"",
                false => "kind = \"counting\"\ninitial = 1\nmost = 3",
            };
            for thread in [one, other] {
                self.uses(thread, &format!("semaphore{number}"));
            }
            let _ = writeln!(self.text, "[semaphore.semaphore{number}]\n{kind}");
        }
        for number in 0..self.several() {
            let Some(one) = self.some(|thread| !thread.is_periodic) else { continue };
            self.uses(one, &format!("condition{number}"));
            let _ = writeln!(self.text, "[condition.condition{number}]");
        }
        for number in 0..self.several() {
            let [Some(one), Some(other)] = [self.some(|_| true), self.some(|_| true)] else { continue };
            if one == other {
                continue;
            }
            self.uses(one, &format!("mailbox{number}.send"));
            self.uses(other, &format!("mailbox{number}.receive"));
            let (capacity, length) = (1 + self.random.under(20), 1 + self.random.under(8));
            let order = *self.random.one_of(&["urgency", "arrival"]);
            let _ = writeln!(
                self.text,
                "[mailbox.mailbox{number}]\ntype = \"int[{length}]\"\ncapacity = {capacity}\norder = \"{order}\""
            );
        }
        for number in 0..self.several() {
            let Some(server) = self.some(|thread| !thread.is_periodic) else { continue };
            let [client] = [self.some(|_| true)];
            let Some(client) = client.filter(|client| *client != server) else { continue };
            self.uses(server, &format!("endpoint{number}.serve"));
            self.uses(client, &format!("endpoint{number}.call"));
            let _ = writeln!(self.text, "[endpoint.endpoint{number}]\nrequest = \"int[2]\"\nreply = \"int\"");
        }
        self.events();
        self.values();
    }

    fn events(&mut self) {
        for number in 0..self.several() {
            let [Some(waits), Some(tells)] = [self.some(|thread| !thread.is_periodic), self.some(|_| true)]
            else {
                continue;
            };
            self.uses(waits, &format!("notification{number}.wait"));
            self.uses(tells, &format!("notification{number}.notify"));
            let _ = writeln!(self.text, "[notification.notification{number}]");
        }
        for number in 0..self.several() {
            let Some(waits) = self.some(|thread| !thread.is_periodic) else { continue };
            self.uses(waits, &format!("interrupt{number}"));
            let _ = writeln!(self.text, "[interrupt.interrupt{number}]\nline = {}", 11 + number);
        }
        for number in 0..self.several() {
            let [Some(waits), Some(sets)] = [self.some(|thread| !thread.is_periodic), self.some(|_| true)]
            else {
                continue;
            };
            self.uses(waits, &format!("group{number}.wait"));
            self.uses(sets, &format!("group{number}.set"));
            let _ = writeln!(self.text, "[event_group.group{number}]");
        }
        if self.random.chance(20)
            && let Some(reader) = self.some(|thread| !thread.is_periodic)
        {
            self.uses(reader, "trace");
            let buffer = 1 << (5 + self.random.under(8));
            let _ = writeln!(self.text, "[trace]\nbuffer = \"{buffer}\"");
        }
    }

    fn values(&mut self) {
        for number in 0..self.several() {
            let [Some(writes), Some(reads)] = [self.some(|_| true), self.some(|_| true)] else { continue };
            if writes == reads {
                continue;
            }
            let slow = if self.random.chance(50) { "_slow" } else { "" };
            self.uses(writes, &format!("state{number}.write"));
            self.uses(reads, &format!("state{number}.read{slow}"));
            let length = 1 + self.random.under(6);
            let period = if self.threads[writes].is_periodic { "" } else { "period = \"2ms\"\n" };
            let is_timed = self.threads[reads].is_periodic || !slow.is_empty();
            let within = if is_timed { "" } else { "read_within = \"1ms\"\n" };
            let _ = write!(self.text, "[state.state{number}]\ntype = \"int[{length}]\"\n{period}{within}");
        }
        if self.random.chance(20)
            && let Some(one) = self.some(|_| true)
        {
            self.uses(one, "region");
            let size = 4 * (1 + self.random.under(100));
            let _ = writeln!(self.text, "[region.region]\nsize = \"{size}\"");
        }
    }

    fn write_threads(&mut self) {
        for number in 0..self.threads.len() {
            let kind = *self.random.one_of(&["work", "work", "work", "table", "large", "words"]);
            let Thread { process, band, is_periodic, ref uses } = self.threads[number];
            let arity = uses.len() + usize::from(is_periodic);
            let uses = uses.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>().join(", ");
            let mut text = format!(
                "[thread.r{number}]\nprocess = \"p{process}\"\nband = \"b{band}\"\nentry = \"{kind}_{arity}\"\n\
                 stack = \"{}\"\nuses = [{uses}]\n",
                512 + 8 * self.random.under(30)
            );
            match self.bands[band] {
                "fixed" => text += &format!("priority = {}\n", self.random.under(32)),
                _ if !is_periodic => text += "deadline = \"5ms\"\n",
                _ => {}
            }
            if is_periodic {
                text += &format!("period = \"{}ms\"\nworst = \"10us\"\n", 1 + self.random.under(40));
            }
            self.text += &text;
        }
    }

    /// A timing program of one to three modules, and what the description says of it.
    fn program(&mut self) -> String {
        let modules = 1 + self.random.under(3);
        let mut text = String::new();
        let has_slot = self.random.chance(50) && self.some(|_| true).is_some();
        for module in 0..modules {
            text += &self.module(module, has_slot && module == 0);
        }
        for driver in ["read", "set", "ask_0", "ask_1", "ask_2"] {
            if text.contains(&format!("uses {driver};")) || text.contains(&format!("if {driver}(")) {
                let process = self.random.under(self.processes);
                let _ = writeln!(self.text, "[driver.{driver}]\nprocess = \"p{process}\"\nworst = \"20us\"");
            }
        }
        text
    }

    fn module(&mut self, module: u64, has_slot: bool) -> String {
        let band = self.band_of_tasks(has_slot);
        let tasks = 1 + self.random.under(4);
        // What S code schedules is regular.
        let modes = if band == "coded" { 1 } else { 1 + self.random.under(3) };
        let has_native = self.random.chance(70);
        let mut text = format!("module M{module} {{\n");
        let mut values = Vec::new();
        if has_native {
            text += &format!("  sensor int s{module} uses read;\n  actuator int a{module} := 0 uses set;\n");
            values.push(format!("s{module}"));
        }
        for task in 0..tasks {
            let name = format!("t{module}_{task}");
            text += &format!("  task {name} {{ input int a; output int x := 0; uses job_2(a, x); }}\n");
            values.push(format!("{name}.x"));
            let (process, stack) = (self.random.under(self.processes), 512 + 8 * self.random.under(30));
            let priority =
                if self.is_fixed(&band) { format!("priority = {}\n", 20 - task) } else { String::new() };
            let reaction = match (self.random.under(12), band.as_str()) {
                (0, _) => "on_miss = \"skip\"\n".to_owned(),
                (1, band) if band != "coded" => "on_miss = { outputs = \"initial\" }\n".to_owned(),
                (2, band) if band != "coded" => format!("on_miss = {{ mode = \"m{module}_0\" }}\n"),
                _ => String::new(),
            };
            let reaction = if has_slot { String::new() } else { reaction };
            let _ = write!(
                self.text,
                "[task.{name}]\nprocess = \"p{process}\"\nband = \"{band}\"\nworst = \"10us\"\nstack = \"{stack}\"\n{priority}{reaction}"
            );
        }
        for mode in 0..modes {
            text += &self.mode(module, [mode, modes], tasks, &values, has_native);
        }
        if has_slot {
            self.slot(module, &band);
        }
        if self.random.chance(20) {
            text += &self.by_interrupt(module);
        }
        text + "}\n"
    }

    /// Where a module's tasks run.
    fn band_of_tasks(&mut self, has_slot: bool) -> String {
        match self.random.under(4) {
            0 | 1 if has_slot => "offered".to_owned(),
            0 if !self.text.contains("band = \"coded\"") => "coded".to_owned(),
            _ => format!("b{}", self.index(self.bands.len())),
        }
    }

    fn is_fixed(&self, band: &str) -> bool {
        band.strip_prefix('b')
            .and_then(|number| number.parse().ok())
            .is_some_and(|number: usize| self.bands[number] == "fixed")
    }

    /// A task that an interrupt releases, in a band below those of all other tasks.
    fn by_interrupt(&mut self, module: u64) -> String {
        let (process, line) = (self.random.under(self.processes), 20 + module);
        let _ = write!(
            self.text,
            "[interrupt.pulse{module}]\nline = {line}\nseparation = \"6ms\"\n[task.count{module}]\n\
             process = \"p{process}\"\nband = \"last\"\npriority = {}\nworst = \"10us\"\nstack = \"512\"\n",
            9 - module
        );
        format!(
            "  task count{module} {{ output int x := 0; uses job_1(x); }}\n  asynchronous {{\n    \
             task [trigger = pulse{module}, priority = {}] count{module}();\n  }}\n",
            9 - module
        )
    }

    /// Opens a module to other programs.
    fn slot(&mut self, module: u64, band: &str) {
        let Some(loader) = self.some(|_| true) else { return };
        self.uses(loader, &format!("M{module}"));
        let check = *self.random.one_of(&["any", "certificate"]);
        let size = 128 << self.random.under(4);
        let ports =
            if self.random.chance(50) { format!("ports = [\"t{module}_0.x\"]\n") } else { String::new() };
        let offers = if band == "offered" { "offers = \"offered\"\n" } else { "" };
        let _ =
            write!(self.text, "[slot.M{module}]\nsize = \"{size}\"\ncheck = \"{check}\"\n{offers}{ports}");
    }

    fn mode(
        &mut self,
        module: u64,
        [mode, modes]: [u64; 2],
        tasks: u64,
        values: &[String],
        has_native: bool,
    ) -> String {
        let is_long = self.random.chance(4);
        let period = if is_long { 1000 } else { *self.random.one_of(&[4_u64, 6, 8, 12]) };
        let divisors: Vec<u64> = (1..=period).filter(|divisor| period.is_multiple_of(*divisor)).collect();
        let start = if mode == 0 { "start " } else { "" };
        let mut text = format!("  {start}mode m{module}_{mode} [period = {period}ms] {{\n");
        for task in (0..tasks).filter(|_| mode == 0 || self.random.chance(70)).collect::<Vec<_>>() {
            let (frequency, guard) = (*self.random.one_of(&divisors), self.guard(values, has_native));
            let input = self.random.one_of(values).clone();
            text += &format!("    task [freq = {frequency}] {guard}t{module}_{task}({input});\n");
        }
        if has_native && self.random.chance(80) {
            let (frequency, guard) = (*self.random.one_of(&divisors), self.guard(values, has_native));
            let source = self.random.one_of(values);
            text += &format!("    actuator [freq = {frequency}] {guard}a{module} := {source};\n");
        }
        if modes > 1 && self.random.chance(60) {
            let guard = self.guard(values, has_native);
            text += &format!("    mode [freq = 1] {guard}m{module}_{};\n", self.random.under(modes));
        }
        text + "  }\n"
    }

    fn guard(&mut self, values: &[String], has_native: bool) -> String {
        if !has_native || self.random.chance(60) {
            return String::new();
        }
        let count = self.random.under(3);
        let arguments: Vec<_> = (0..count).map(|_| self.random.one_of(values).clone()).collect();
        format!("if ask_{count}({}) then ", arguments.join(", "))
    }
}
