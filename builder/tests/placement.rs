//! What is proposed is what would stand in the file: typed, it is accepted and bears as much; and no way to
//! cut the list bears more.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use beryl_analysis::sensitivity::Factor;
use beryl_builder::description::Policy;
use beryl_builder::placement::{Candidate, Found, How, Order, PlacedBand, Placement, search};
use beryl_builder::proof::judge::slowdown;
use beryl_builder::{BuildError, Parsed, Project, Variant, proof};
use beryl_testing::{Draw, SplitMix64 as Random};

/// A system: what stands in its description before and behind the bands, and its timing program.
struct Drawn {
    head: String,
    /// Names of tables with what stands in them, but for their places.
    rows: Vec<(String, String)>,
    tail: String,
    timing: String,
}

impl Drawn {
    /// Periodic and sporadic threads, some with a deadline, some with locks; tasks of modules with one mode
    /// or two; a server without times.
    fn of(random: &mut Random, threads: u64) -> Drawn {
        let mut drawn = Drawn {
            head: "[system]\nname = \"drawn\"\ntiming = [\"drawn.tdl\"]\napplication = \"app\"\n\
                   [board]\nname = \"mps2-an385\"\nflash = \"512k\"\nram = \"512k\"\nspeed = 0\n\
                   [process.one]\nmemory = \"1k\"\n"
                .to_owned(),
            rows: Vec::new(),
            tail: "[lock.map]\ntype = \"int\"\n".to_owned(),
            timing: String::new(),
        };
        for number in 0..threads {
            drawn.add_thread(random, number, threads);
        }
        for module in 0..random.within(0, 2) {
            drawn.add_module(random, module);
        }
        let free = "process = \"one\"\nentry = \"free\"\nstack = \"512\"\nuses = [\"map\"]\n\
                    hold = { map = \"5us\" }\n"
            .to_owned();
        drawn.rows.push(("thread.free".to_owned(), free));
        drawn
    }

    fn add_thread(&mut self, random: &mut Random, number: u64, of: u64) {
        let period = *random.one_of(&[2, 4, 5, 8, 10, 16, 20, 40, 50]);
        let worst = (period * random.within(100, 900) / of).max(10);
        let mut row =
            format!("process = \"one\"\nentry = \"e{number}\"\nstack = \"512\"\nworst = \"{worst}us\"\n");
        let deadline = *random.one_of(&[period * 1000, period * 1000, period * 800, period * 600]);
        let has_deadline = random.within(0, 1) == 0;
        if random.within(0, 2) == 0 {
            writeln!(row, "separation = \"{period}ms\"").expect("text");
            if random.within(0, 2) == 0 {
                writeln!(row, "jitter = \"{}us\"", period * 100).expect("text");
            }
        } else {
            writeln!(row, "period = \"{period}ms\"").expect("text");
            if random.within(0, 2) == 0 {
                writeln!(row, "offset = \"{}us\"", period * 250).expect("text");
            }
        }
        if has_deadline {
            writeln!(row, "deadline = \"{deadline}us\"").expect("text");
        }
        if number == 0 || random.within(0, 3) == 0 {
            writeln!(row, "uses = [\"map\"]\nhold = {{ map = \"{}us\" }}", random.within(1, 9))
                .expect("text");
        }
        self.rows.push((format!("thread.t{number}"), row));
    }

    /// A task in each of one or two modes, of other rates.
    fn add_module(&mut self, random: &mut Random, module: u64) {
        if module == 0 {
            self.head.push_str("driver_stack = \"512\"\n");
        }
        let modes = random.within(1, 2);
        let mut text = format!("module M{module} {{\n  sensor int s uses get;\n");
        for task in 0..modes {
            writeln!(
                text,
                "  task k{module}_{task} {{ input int a; output int x := 0; uses f{module}_{task}(a, x); }}"
            )
            .expect("text");
            let worst = random.within(50, 900);
            let row = format!("process = \"one\"\nworst = \"{worst}us\"\nstack = \"512\"\n");
            self.rows.push((format!("task.k{module}_{task}"), row));
        }
        for mode in 0..modes {
            let head = if mode == 0 { "start mode" } else { "mode" };
            let period = *random.one_of(&[5, 10, 20, 25]);
            writeln!(
                text,
                "  {head} m{mode} [period = {period}ms] {{\n    task [freq = 1] k{module}_{mode}(s);"
            )
            .expect("text");
            if modes > 1 {
                writeln!(text, "    mode [freq = 1] if turns(s) then m{};", 1 - mode).expect("text");
            }
            writeln!(text, "  }}").expect("text");
        }
        writeln!(self.timing, "{text}}}").expect("text");
        for driver in if modes > 1 { vec!["get", "turns"] } else { vec!["get"] } {
            let table = format!("[driver.{driver}]\nprocess = \"one\"\nworst = \"5us\"\n");
            if !self.tail.contains(&table) {
                self.tail.push_str(&table);
            }
        }
    }

    /// The file with bands in it.
    fn typed(&self, bands: &[PlacedBand]) -> String {
        let mut text = self.head.clone();
        for PlacedBand { band, .. } in bands {
            let policy = if band.policy == Policy::Dynamic { "dynamic" } else { "fixed" };
            writeln!(text, "[[band]]\nname = \"{}\"\npolicy = \"{policy}\"", band.name.value).expect("text");
        }
        for (name, row) in &self.rows {
            write!(text, "[{name}]\n{row}").expect("text");
            let own = name.split_once('.').expect("a kind and a name").1;
            let in_band = |band: &PlacedBand| {
                let member = band.members.iter().find(|member| member.name == own)?;
                Some((band.band.name.value.clone(), member.priority))
            };
            let (band, priority) = bands.iter().find_map(in_band).expect("everything has its place");
            writeln!(text, "band = \"{band}\"").expect("text");
            priority.into_iter().for_each(|priority| writeln!(text, "priority = {priority}").expect("text"));
        }
        text + &self.tail
    }

    /// As a user might have written it at first: all in one fixed band, in any order.
    fn at_first(&self, random: &mut Random) -> String {
        let mut text = self.head.clone() + "[[band]]\nname = \"fixed\"\npolicy = \"fixed\"\n";
        for (name, row) in &self.rows {
            write!(text, "[{name}]\n{row}band = \"fixed\"\npriority = {}\n", random.within(0, 9))
                .expect("text");
        }
        text + &self.tail
    }

    fn read(&self, description: &str) -> Result<Parsed, BuildError> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder: PathBuf =
            std::env::temp_dir().join(format!("beryl-placement-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let description = match self.timing.is_empty() {
            true => description.replace("timing = [\"drawn.tdl\"]\n", ""),
            false => description.to_owned(),
        };
        std::fs::write(folder.join("beryl.toml"), description).expect("written");
        std::fs::write(folder.join("drawn.tdl"), &self.timing).expect("written");
        let parsed = Parsed::read(&folder, Variant::default());
        std::fs::remove_dir_all(&folder).expect("removed");
        parsed
    }
}

/// How many are drawn: more with `BERYL_PLACEMENTS=100`, which takes minutes.
fn systems(usual: u64) -> u64 {
    std::env::var("BERYL_PLACEMENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

fn found(parsed: &Parsed, project: &Project) -> Vec<Found> {
    search(parsed, project, &mut |_| ())
}

/// All ways to cut the list, each judged whole.
fn all(parsed: &Parsed, project: &Project, count: usize) -> [Option<Factor>; 4] {
    let order = Order::of(project);
    let bears = |sizes: &[usize]| {
        let placed = parsed.placed(&project.assembly, &order.placement(sizes)).joined().ok()?;
        slowdown(&placed)
    };
    let one = (1..count).filter_map(|first| bears(&[first])).max();
    let two = (1..count).flat_map(|first| (1..=count - first).map(move |second| [first, second]));
    [bears(&[]), bears(&[count]), one, two.filter_map(|sizes| bears(&sizes)).max()]
}

#[test]
fn every_proposal_is_accepted_as_it_is_typed_and_bears_as_much() {
    let (mut proposals, mut with_modes) = (0, 0);
    for seed in 0..systems(16) {
        let mut random = Random(seed);
        let threads = random.within(2, 4);
        let drawn = Drawn::of(&mut random, threads);
        let parsed =
            drawn.read(&drawn.at_first(&mut random)).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        let project = parsed.clone().joined().expect("it goes together");
        for Candidate { placement, slowdown: promised, .. } in
            found(&parsed, &project).into_iter().filter_map(|found| found.best)
        {
            let text = drawn.typed(&placement.bands);
            let typed = drawn.read(&text).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}\n{text}"));
            let typed = typed.joined().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}\n{text}"));
            assert_eq!(slowdown(&typed), Some(promised), "seed {seed}:\n{text}");
            proposals += 1;
            with_modes += u32::from(project.assembly.modules.iter().any(|module| module.modes.len() > 1));
        }
    }
    assert!(proposals > 30 && with_modes > 5, "{proposals} {with_modes}");
}

#[test]
fn no_way_to_cut_the_list_bears_more() {
    let mut held = 0;
    for seed in 100..100 + systems(8) {
        let mut random = Random(seed);
        let threads = random.within(2, 3);
        let drawn = Drawn::of(&mut random, threads);
        let parsed = drawn.read(&drawn.at_first(&mut random)).expect("a description");
        let project = parsed.clone().joined().expect("it goes together");
        let count = Order::of(&project).len();
        let found: Vec<_> = found(&parsed, &project).into_iter().collect();
        let best = found.iter().map(|found| found.best.as_ref().map(|best| best.slowdown));
        assert!(best.eq(all(&parsed, &project, count)), "seed {seed}");
        assert_eq!(found[2].how, How::BestOf(count - 1));
        assert_eq!(found[3].how, How::BestOf(count * (count - 1) / 2));
        held += found.iter().filter(|found| found.best.is_some()).count();
    }
    assert!(held > 12, "{held}");
}

/// The kernel tells 32 dynamic bands and priorities apart, with that for idling.
#[test]
fn more_tasks_than_priorities_are_placed_and_accepted() {
    let mut random = Random(7);
    let drawn = Drawn::of(&mut random, 40);
    let parsed = drawn.read(&drawn.at_first(&mut random)).expect("a description");
    let project = parsed.clone().joined().expect("it goes together");
    let placement: Placement = Order::of(&project).placement(&[]);
    let fixed = &placement.bands[0];
    let mut priorities: Vec<_> = fixed.members.iter().filter_map(|member| member.priority).collect();
    assert!(fixed.members.len() >= 40 && priorities.is_sorted_by(|one, next| one >= next));
    priorities.dedup();
    assert_eq!(priorities.len(), 30, "one is for idling, and one for the thread that has no jobs");
    let mut told = 0;
    let found = search(&parsed, &project, &mut |_| told += 1);
    assert!(told > 0, "a long search says how far it is");
    assert!(matches!(found[3].how, How::BorderByBorder(_)));
    let best: Vec<_> = found.into_iter().filter_map(|found| found.best).collect();
    assert!(best.len() >= 3, "{}", best.len());
    for candidate in best {
        let typed = drawn.read(&drawn.typed(&candidate.placement.bands)).and_then(Parsed::joined);
        assert_eq!(slowdown(&typed.expect("it is accepted")), Some(candidate.slowdown));
    }
}

/// The proof counts so; the kernel must give it its turn so, too.
#[test]
fn a_thread_that_may_come_again_before_its_deadline_has_its_turn_by_then() {
    let mut random = Random(1);
    let mut drawn = Drawn::of(&mut random, 1);
    let row = |times: &str| {
        format!("process = \"one\"\nentry = \"late\"\nstack = \"512\"\nworst = \"10us\"\n{times}")
    };
    drawn.rows.push(("thread.long".to_owned(), row("separation = \"10ms\"\ndeadline = \"20ms\"\n")));
    drawn.rows.push(("thread.none".to_owned(), row("separation = \"10ms\"\n")));
    let project = drawn.read(&drawn.at_first(&mut random)).and_then(Parsed::joined).expect("it is right");
    let system = proof::system(&project);
    for name in ["long", "none"] {
        let thread = project.assembly.threads.iter().find(|thread| thread.name == name).expect("it");
        let task =
            system.bands.iter().flat_map(|band| &band.tasks).find(|task| task.name == name).expect("it");
        let turn = thread.role.deadline().expect("a deadline").ticks();
        assert_eq!((turn, task.deadline.get()), (250_000, 250_000), "{name}");
    }
}
