//! The formation: three nodes, of which one has two cores, and a bus write what one node would, frames are lost, and a replica that
//! goes wrong is outvoted.

use std::fs;
use std::path::{Path, PathBuf};

use common::{assert_recorded, beryl, change, example, folder, left_text, lock};

mod common;

const NODES: [&str; 3] = ["leader", "left", "right"];
/// The nodes, but for the left one, which has two cores.
const KERNELS: [&str; 4] = ["leader", "left_flight", "left_watch", "right"];
/// The replica drifts after 2 s, and gives no numbers after 6 s.
const LENGTH: &str = "7s";

/// The formation under another name, with its crates where they are.
fn variant(name: &str) -> PathBuf {
    let (system, from) = (folder().join("systems").join(name), PathBuf::from(example("formation")));
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "formation.tdl", "gust.csv"] {
        fs::copy(from.join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"formation\"", &format!("name = {name:?}"));
    for part in ["app", "plant"] {
        let place = format!("= \"../../../../examples/formation/{part}\"");
        change(&description, &format!("= {part:?}"), &place);
    }
    system
}

/// The same system on one node, without a bus.
fn on_one_node(name: &str) -> PathBuf {
    let system = variant(name);
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a description");
    let about_nodes = ["[node.", "node = ", "board = ", "[core.", "core = ", "[bus]", "frame = ", "byte = "];
    let is_about_nodes = |line: &&str| about_nodes.iter().any(|it| line.starts_with(it));
    let kept: Vec<_> = text.lines().filter(|line| !is_about_nodes(line)).collect();
    fs::write(&description, kept.join("\n")).expect("written");
    system
}

/// The same system on three nodes without cores, all of them the same board.
fn on_three_nodes(name: &str) -> PathBuf {
    let system = variant(name);
    let description = system.join("beryl.toml");
    for core in ["left_flight", "left_watch"] {
        change(&description, &format!("[core.{core}]\nnode = \"left\"\n"), "");
        change(&description, &format!("core = {core:?}"), "node = \"left\"");
    }
    change(&description, "board = \"virt\"\n", "");
    system
}

/// The same system on three cores of one board, without a bus.
fn on_three_cores(name: &str) -> PathBuf {
    let system = on_three_nodes(name);
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a description");
    let is_about_the_bus =
        |line: &&str| ["[bus]", "frame = ", "byte = "].iter().any(|it| line.starts_with(it));
    let kept: Vec<_> = text.lines().filter(|line| !is_about_the_bus(line)).collect();
    let kept = kept.join("\n").replace("[node.", "[core.").replace("\nnode = ", "\ncore = ");
    fs::write(&description, kept.replace("\"mps2-an385\"", "\"virt\"")).expect("written");
    system
}

/// What a run said, and what was written to the rotors: instant, rotor and bytes, in the order of the instants.
struct Flight {
    said: String,
    writes: Vec<(u64, String, String)>,
}

/// Flies a system whose files are under these names.
fn fly(system: &Path, names: &[String], options: &[&str]) -> Flight {
    let path = system.display().to_string();
    let said = beryl(&[&["sim", &path, "--for", LENGTH], options].concat()).ended(0);
    let mut writes: Vec<_> =
        names.iter().flat_map(|name| written(&left_text(name, "sim.recording"))).collect();
    writes.sort();
    Flight { said, writes }
}

/// The actuators' part of a recording.
fn written(recording: &str) -> Vec<(u64, String, String)> {
    let (_, actuators) = recording.split_once("[actuators]\n").expect("actuators");
    let rows = actuators.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let row = |line: &str| {
        let mut fields = line.split(',').map(str::to_owned);
        let instant = fields.next().and_then(|field| field.parse().ok()).expect("an instant");
        (instant, fields.next().expect("a name"), fields.next().expect("bytes"))
    };
    rows.map(row).collect()
}

/// Flies a system with these kernels.
fn fly_all<const COUNT: usize>(
    name: &str,
    kernels: [&str; COUNT],
    system: &Path,
    options: &[&str],
) -> Flight {
    fly(system, &kernels.map(|kernel| format!("{name}_{kernel}")), options)
}

fn fly_nodes(name: &str, system: &Path, options: &[&str]) -> Flight {
    fly_all(name, KERNELS, system, options)
}

/// The line that tells how formation was kept.
fn kept(flight: &Flight) -> &str {
    let line = flight.said.lines().find(|line| line.contains("formation kept"));
    line.unwrap_or_else(|| panic!("{}", flight.said)).trim()
}

/// The same system without cores, with this said of its nodes' clocks.
fn with_clocks(name: &str, clocks: &str) -> PathBuf {
    let system = on_three_nodes(name);
    change(&system.join("beryl.toml"), "byte = \"8us\"", &format!("byte = \"8us\"\n{clocks}"));
    system
}

#[test]
fn the_bus_carries_what_others_read() {
    let said = beryl(&["check", &example("formation")]).ended(0);
    let titles = by_kernel(&said).into_iter().map(|part| part.lines().next().unwrap_or_default());
    assert_eq!(titles.collect::<Vec<_>>(), KERNELS);
    assert_eq!(said.matches("time-safe: every job completes").count(), KERNELS.len(), "{said}");
    let (_, shared) = said.split_once("\nMemory between cores\n").expect("what crosses in memory");
    let shared: Vec<_> = shared.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    assert_eq!(shared.len(), 1, "{said}");
    assert!(shared[0].ends_with("  FromLeft.locate.motion to left_flight"), "{said}");
    let (_, bus) = said.split_once("\nBus\n").expect("a bus");
    let lines: Vec<_> = bus.lines().map(str::trim_end).collect();
    assert_recorded("formation/bus.txt", &(lines.join("\n") + "\n"));
}

/// Clocks that drift are kept together over the bus, and each rotor is told the same at the same instants of its node's clock.
#[test]
fn clocks_that_drift_are_kept_together() {
    let _lock = lock("formation_drifting");
    let _exact = lock("formation");
    let clocks = "drift = \"50ppm\"\nclock = \"leader\"\nlost = 2\nreading = \"1us\"";
    let system = with_clocks("formation_drifting", clocks);
    let said = beryl(&["check", &system.display().to_string()]).ended(0);
    let (_, bus) = said.split_once("\nBus\n").expect("a bus");
    let (bus, _) = bus.split_once("\nFrom sensors").expect("chains");
    let lines: Vec<_> = bus.lines().map(str::trim_end).collect();
    assert_recorded("formation/clocks.txt", &(lines.join("\n") + "\n"));
    let exact = fly_nodes("formation", Path::new(&example("formation")), &["--times", "random"]);
    for seed in ["1", "2", "3"] {
        let options = ["--times", "random", "--seed", seed];
        let flight = fly_all("formation_drifting", NODES, &system, &options);
        let apart = flight.said.lines().find_map(|line| line.trim().strip_prefix("clocks: at most "));
        let apart =
            apart.and_then(|line| line.strip_suffix("ns apart, and they may be 15us")).expect("it is told");
        let apart: u64 = apart.parse().expect("a number");
        assert!((1_000..15_000).contains(&apart), "{apart}");
        assert_eq!(flight.writes, exact.writes, "seed {seed}");
        assert_eq!(kept(&flight), kept(&exact), "seed {seed}");
    }
}

/// Nothing keeps them together: `check` refuses it, and who runs it all the same sees frames meet, and other commands.
#[test]
fn clocks_that_nothing_keeps_together_are_refused_and_go_wrong() {
    let _lock = lock("formation_parting");
    let _exact = lock("formation");
    let system = with_clocks("formation_parting", "drift = \"50ppm\"").display().to_string();
    let refused = beryl(&["check", &system]);
    let why = "part by up to 100us in each second, and nothing keeps these together";
    let words = refused.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(refused.code == Some(1) && words.contains(why), "{}", refused.everything());
    let exact = fly_nodes("formation", Path::new(&example("formation")), &[]);
    let exactly = on_three_nodes("formation_parting").display().to_string();
    let ran = beryl(&["sim", &exactly, "--for", LENGTH, "--drift", "50"]);
    let frames = ran.out.lines().find(|line| line.contains("bus: ")).expect("frames");
    let corrupt: u64 =
        frames.split_whitespace().rev().nth(1).and_then(|count| count.parse().ok()).expect("a count");
    assert!(corrupt > 10, "{}", ran.everything());
    // Two clocks that are wrong by 50 ppm part by 100 us in a second, in whichever direction.
    let apart = ran.out.lines().find_map(|line| line.trim().strip_prefix("clocks: at most "));
    let apart = apart.and_then(|line| line.strip_suffix("ns apart, and nothing keeps them together"));
    let apart: u64 = apart.and_then(|apart| apart.parse().ok()).expect("it is told");
    assert!((50_000..=700_000).contains(&apart), "{apart}");
    let parted: Vec<_> = NODES
        .iter()
        .flat_map(|node| written(&left_text(&format!("formation_parting_{node}"), "sim.recording")))
        .collect();
    let same = parted.iter().filter(|write| exact.writes.contains(write)).count();
    assert!(same < parted.len(), "all {same} writes are those of exact clocks");
}

/// Each core is proved by itself, and what crosses takes no time.
#[test]
fn memory_between_cores_carries_what_others_read() {
    let _lock = lock("formation_on_cores");
    let said = beryl(&["check", &on_three_cores("formation_on_cores").display().to_string()]).ended(0);
    let titles: Vec<_> = said.lines().filter(|line| line.starts_with("Core ")).collect();
    assert_eq!(titles, NODES.map(|core| format!("Core {core}")));
    assert_eq!(said.matches("time-safe: every job completes").count(), NODES.len(), "{said}");
    assert!(!said.contains("\nBus\n"), "{said}");
    let system = folder().join("systems/formation_on_cores").display().to_string();
    for (option, why) in [
        (["--loss", "5"], "`--loss` is about frames on a bus, and between cores there is none; leave it out"),
        (
            ["--drift", "5"],
            "`--drift` is about clocks of nodes without cores, and this system has cores; leave it out",
        ),
        (
            ["--search", "seeds"],
            "is about one core, and formation_on_cores has several; name one by `--node`: leader, left, right",
        ),
        (["--node", "up"], "this system has no core `up`"),
    ] {
        let refused = beryl(&[&["sim", &system], &option[..]].concat());
        assert!(refused.code == Some(1) && refused.err.contains(why), "{option:?}: {}", refused.everything());
    }
    let (_, memory) = said.split_once("\nMemory between cores\n").expect("what crosses");
    let lines: Vec<_> = memory.lines().map(str::trim_end).collect();
    assert_recorded("formation/memory.txt", &(lines.join("\n") + "\n"));
}

/// What is said of each node and each core, from its name on.
fn by_kernel(said: &str) -> Vec<&str> {
    let begins = |title: &'static str| said.match_indices(title).map(|(place, _)| place + title.len());
    let mut places: Vec<usize> = begins("\nNode ").chain(begins("\nCore ")).collect();
    places.sort_unstable();
    let ends = places.iter().skip(1).copied().chain([said.len()]);
    places.iter().zip(ends).map(|(from, to)| &said[*from..to]).collect()
}

/// What is asserted of the leader is looked at on its node, what is asserted of a follower where it flies, and the rest on all.
#[test]
fn each_node_is_held_to_what_is_asserted_of_it() {
    let _lock = lock("formation");
    let said = fly_nodes("formation", Path::new(&example("formation")), &[]).said;
    let parts = by_kernel(&said);
    let held = |part: &&str| {
        let rows = part.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
        let names = rows.filter_map(|row| match row.as_slice() {
            [name, "holds"] => Some((*name).to_owned()),
            _ => None,
        });
        names.collect::<Vec<_>>()
    };
    let follower =
        |node| ["is_fresh", "votes_quickly", "rotor_is_steady"].map(|rest| format!("{node}_{rest}"));
    let of_all = ["no_miss", "no_violation", "no_fault"].map(str::to_owned);
    let expected = [
        [&["leader_after_fix".to_owned()][..], &of_all].concat(),
        [&follower("left")[..], &of_all].concat(),
        of_all.to_vec(),
        [&follower("right")[..], &of_all].concat(),
    ];
    assert_eq!(parts.iter().map(held).collect::<Vec<_>>(), expected, "{said}");
    // What is asserted of two comes before all nodes.
    let (between, _) = said.split_once("\nNode ").expect("nodes");
    assert_eq!(held(&between), ["left_votes_on_news", "right_votes_on_news"], "{said}");
}

/// Whatever jobs and the kernels' steps take, and whenever other cores see what one has published.
#[test]
fn three_cores_write_what_one_would() {
    let _locks = [lock("formation_on_cores"), lock("formation_on_one")];
    let (cores, one) = (on_three_cores("formation_on_cores"), on_one_node("formation_on_one"));
    let alone = fly(&one, &["formation_on_one".to_owned()], &[]);
    assert_eq!(alone.writes.len(), 3 * 350, "{}", alone.said);
    for options in [
        &[][..],
        &["--times", "best", "--seed", "1"],
        &["--costs", "worst", "--seed", "2"],
        &["--times", "random", "--costs", "random", "--seed", "3"],
    ] {
        let flown = fly_all("formation_on_cores", NODES, &cores, options);
        assert_eq!(flown.writes, alone.writes, "{options:?}: {}", flown.said);
        assert_eq!(kept(&flown), kept(&alone));
    }
}

/// The same on three cores of one emulated board, with the commands of the first 300 ms.
#[test]
fn three_cores_of_a_board_write_what_one_would() {
    let _locks = [lock("formation_on_cores"), lock("formation_on_one")];
    let (cores, one) = (on_three_cores("formation_on_cores"), on_one_node("formation_on_one"));
    let alone = fly(&one, &["formation_on_one".to_owned()], &[]);
    let said = beryl(&["run", &cores.display().to_string(), "--for", "300ms"]).ended(0);
    assert!(
        said.contains("45 actuator writes, identical on sim and virt (3 cores); 0 deadline misses"),
        "{said}"
    );
    let recording = |core| written(&left_text(&format!("formation_on_cores_{core}"), "virt.recording"));
    let mut writes: Vec<_> = NODES.into_iter().flat_map(recording).collect();
    writes.sort();
    assert_eq!(writes, alone.writes[..writes.len()]);
    let (_, drawn) = said.split_once("\nAll cores\n").expect("a timeline of all");
    assert!(NODES.iter().all(|core| drawn.contains(&format!("{core}: "))), "{drawn}");
}

/// The same where the node with two cores is another board than the example's, and speaks on the bus.
#[test]
fn two_cores_of_a_board_at_the_bus_write_what_one_node_would() {
    let (name, board) = ("formation_on_an521", "mps2-an521");
    let _locks = [lock(name), lock("formation_on_one")];
    let (nodes, one) = (variant(name), on_one_node("formation_on_one"));
    change(&nodes.join("beryl.toml"), "board = \"virt\"", &format!("board = {board:?}"));
    let alone = fly(&one, &["formation_on_one".to_owned()], &[]);
    let said = beryl(&["run", &nodes.display().to_string(), "--for", "100ms"]).ended(0);
    let last =
        format!("15 actuator writes, identical on sim and mps2-an385 and {board} (3 nodes with 4 kernels)");
    assert!(said.contains(&last), "{said}");
    let recording = |(part, file): (&str, &str)| written(&left_text(&format!("{name}_{part}"), file));
    let file = format!("{board}.recording");
    let parts =
        [("leader", "mps2-an385.recording"), ("left_flight", &file), ("right", "mps2-an385.recording")];
    let mut writes: Vec<_> = parts.into_iter().flat_map(recording).collect();
    writes.sort();
    assert_eq!(writes, alone.writes[..writes.len()]);
    assert_eq!(writes.len(), 15);
}

/// Whatever jobs and the kernels' steps take, and whatever the sensors' noise is.
#[test]
fn three_nodes_write_what_one_would() {
    let _locks = [lock("formation"), lock("formation_on_one")];
    let (nodes, one) = (PathBuf::from(example("formation")), on_one_node("formation_on_one"));
    let on_one = |options: &[&str]| fly(&one, &["formation_on_one".to_owned()], options);
    let alone = on_one(&[]);
    assert_eq!(alone.writes.len(), 3 * 350, "{}", alone.said);
    for options in [
        &[][..],
        &["--times", "best"],
        &["--costs", "worst"],
        &["--times", "random", "--costs", "random", "--seed", "5"],
        &["--times", "random", "--costs", "worst", "--seed", "6"],
    ] {
        let together = fly_nodes("formation", &nodes, options);
        assert!(together.writes == alone.writes, "{options:?}\n{}", together.said);
        assert_eq!(kept(&together), kept(&alone), "{options:?}");
    }
    let seed = ["--plant-seed", "8"];
    let (together, other) = (fly_nodes("formation", &nodes, &seed), on_one(&seed));
    assert!(together.writes == other.writes, "{}", together.said);
    assert!(other.writes != alone.writes, "another seed is another flight");
}

/// A frame that is lost leaves what was known: the followers fly a little differently, and keep formation.
#[test]
fn formation_is_kept_though_frames_are_lost() {
    let _lock = lock("formation");
    let nodes = PathBuf::from(example("formation"));
    let all = fly_nodes("formation", &nodes, &[]);
    let mut told = String::new();
    for (loss, seed) in [("0", "1"), ("100", "1"), ("100", "2"), ("100", "3"), ("300", "1")] {
        let lossy = || fly_nodes("formation", &nodes, &["--loss", loss, "--seed", seed]);
        let flight = lossy();
        told += &format!("--loss {loss} --seed {seed}: {}\n", kept(&flight));
        assert_eq!(flight.writes == all.writes, loss == "0", "--loss {loss} --seed {seed}");
        // The leader hears of nobody.
        let of_leader = |flight: &Flight| {
            let own = |(_, name, _): &&(u64, String, String)| name == "Leader.rotor";
            flight.writes.iter().filter(own).cloned().collect::<Vec<_>>()
        };
        assert!(of_leader(&flight) == of_leader(&all), "--loss {loss} --seed {seed}");
        if seed == "2" {
            assert!(lossy().writes == flight.writes, "the same frames are lost");
        }
    }
    assert_recorded("formation/losses.txt", &told);
}

/// A frame in which bits have changed is dropped as a lost one is, and counted apart for its sender.
#[test]
fn formation_is_kept_though_frames_are_corrupt() {
    let _lock = lock("formation");
    let nodes = PathBuf::from(example("formation"));
    let counts = |flight: &Flight| {
        let lines = flight.said.lines().filter(|line| line.contains(" corrupt"));
        lines.map(|line| format!("{}\n", line.trim())).collect::<String>()
    };
    let all = fly_nodes("formation", &nodes, &[]);
    assert_eq!(counts(&all), "bus: 2100 frames, 0 lost, 0 corrupt\n");
    let lossy = fly_nodes("formation", &nodes, &["--loss", "100"]);
    let spoilt = fly_nodes("formation", &nodes, &["--loss", "100", "--corrupt", "100"]);
    assert!(spoilt.writes != all.writes && spoilt.writes != lossy.writes);
    let told = [&lossy, &spoilt].map(|flight| format!("{}{}\n", counts(flight), kept(flight)));
    assert_recorded("formation/corrupt.txt", &told.concat());
}

/// Nobody's rotor knows that the replica on the right node goes wrong; if a second one does, all know.
#[test]
fn a_replica_that_goes_wrong_is_outvoted() {
    let _locks = [lock("formation"), lock("formation_well"), lock("formation_twice")];
    let wrong = fly_nodes("formation", Path::new(&example("formation")), &[]);

    let system = variant("formation_well");
    let program = system.join("formation.tdl");
    change(&program, "uses stray_impl(fix, pitch, commanded, estimate, job, motion)", UNERRING);
    change(&program, "    state  int job := 0;\n    output float[4] motion", "    output float[4] motion");
    let well = fly_nodes("formation_well", &system, &[]);
    assert!(well.writes == wrong.writes, "{}", wrong.said);

    let system = variant("formation_twice");
    let program = system.join("formation.tdl");
    let text = fs::read_to_string(&program).expect("a program");
    let (before, rest) = text.split_once("module FromLeft").expect("the module");
    let (own, after) = rest.split_once("// This one goes wrong").expect("the next");
    let own = own.replace(UNERRING, "uses stray_impl(fix, pitch, commanded, estimate, job, motion)");
    let own =
        own.replace("    output float[4] motion", "    state  int job := 0;\n    output float[4] motion");
    fs::write(&program, format!("{before}module FromLeft{own}// This one goes wrong{after}"))
        .expect("written");
    let ran = beryl(&["sim", &system.display().to_string(), "--for", LENGTH]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.out, ran.err);
    assert!(ran.out.contains("formation was lost after 2."), "{}", ran.out);
}

/// Navigation as the replicas have it that don't go wrong.
const UNERRING: &str = "uses navigate_impl(fix, pitch, commanded, estimate, motion)";
