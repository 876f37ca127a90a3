//! The recorded run of several kernels: which messages it has, and the page that shows them.

use std::path::Path;

use beryl_abi::frame::Fate;
use beryl_trace::file::Unsealer;
use beryl_trace::jobs::History;
use beryl_trace::sampled::{Origin, Sampled};
use beryl_trace::several::{Message, Several, messages};
use beryl_trace::{Event, Happening, LogicalInstant, Names};
use common::{beryl, example, folder, left, left_text, lock};
use serde_json::Value;

mod common;

/// What a kernel did.
struct Part {
    names: Names,
    events: Vec<Event>,
    history: History,
}

impl Part {
    fn of(kernel: &str) -> Part {
        let system = format!("formation_{kernel}");
        let (events, damage) = Unsealer::default().take(&left(&system, "sim.trace")).events();
        assert!(damage.is_none(), "{damage:?}");
        let names = Names::parse(&left_text(&system, "names.json")).expect("names");
        Part { names, history: History::of(&events), events }
    }

    /// The bytes that a task of it has published from an instant on.
    fn published(&self, value: &str, at: LogicalInstant) -> Option<Vec<u8>> {
        let all = Sampled::all(&self.events, &self.names);
        let is_meant = |one: &&Sampled<'_>| one.origin == Origin::Port && is_called(value, one.name);
        let one = all.iter().find(is_meant).unwrap_or_else(|| panic!("nobody publishes {value}"));
        let sample = one.samples.iter().find(|sample| self.names.tick.logical(sample.instant) == at)?;
        Some(sample.bytes.to_vec())
    }

    /// The bytes of a value that its kernel has found at an instant in what came from others.
    fn found(&self, name: &str, at: LogicalInstant) -> Option<Vec<u8>> {
        let number = self.names.drivers.iter().position(|driver| driver.name == name);
        let number = number.unwrap_or_else(|| panic!("nobody looks for {name}"));
        self.events.iter().find_map(|event| match &event.happening {
            Happening::Driver { driver, instant, value } if driver.index() == number => {
                (self.names.tick.logical(*instant) == at).then(|| value.clone())
            }
            _ => None,
        })
    }

    fn task(&self, job: usize) -> &str {
        &self.names.threads[self.history.jobs[job].task.index()].name
    }

    fn release(&self, job: usize) -> LogicalInstant {
        self.names.tick.logical(self.history.jobs[job].release)
    }
}

/// Other modules name a value with its own; where no other has such a task, its own doesn't.
fn is_called(whole: &str, own: &str) -> bool {
    whole.strip_suffix(own).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Runs the formation in the simulator, with frames that are lost and others that are damaged.
fn fly() -> (Several, Vec<Part>) {
    let formation = example("formation");
    let options = ["--for", "400ms", "--loss", "100", "--corrupt", "100", "--seed", "2"];
    beryl(&[&["sim", &formation], &options[..]].concat()).ended(0);
    let several: Several =
        serde_json::from_str(&left_text("formation", "sim.kernels.json")).expect("what was kept");
    let parts = several.kernels.iter().map(|kernel| Part::of(&kernel.name)).collect();
    (several, parts)
}

/// What a message carries to a reader: the values of its task that the reader's task reads.
fn carried<'a>(
    several: &'a Several,
    parts: &[Part],
    from: (usize, usize),
    to: (usize, usize),
) -> Vec<&'a str> {
    let [sender, reader] = [from, to].map(|(kernel, job)| (kernel, parts[kernel].task(job).to_owned()));
    let all = several.crossings.iter();
    let own = all.filter(|crossing| crossing.from == sender && crossing.to.contains(&reader));
    own.map(|crossing| crossing.value.as_str()).collect()
}

/// What a job has that an arrow leads to is what the other one has published, byte by byte. What didn't arrive nobody has: at the
/// instant from which it would count, its reader still has what it had.
#[test]
fn each_arrow_leads_from_a_write_to_its_read() {
    let _lock = lock("formation");
    let (several, parts) = fly();
    let seen: Vec<_> = parts.iter().map(|part| (&part.history, &part.names)).collect();
    let all = messages(&several, &seen);
    let mut counts = [0; 3];
    for Message { from, sent, fate, read } in &all {
        let sender = &parts[from.0];
        let counts_at =
            sender.release(from.1).after(several.crossings[0].counts_after.expect("always the same"));
        assert!(*sent <= counts_at);
        counts[match fate {
            Fate::Lost => 1,
            Fate::Corrupt => 2,
            Fate::Came | Fate::Unsent => 0,
        }] += 1;
        assert_eq!(read.is_empty(), *fate != Fate::Came);
        for to in read {
            let values = carried(&several, &parts, *from, *to);
            assert!(!values.is_empty(), "{from:?} {to:?}");
            for value in values {
                let written = sender.published(value, counts_at);
                let had = parts[to.0].found(value, parts[to.0].release(to.1));
                // All that a task publishes is one copy, of which a port is a part.
                let (written, had) = (written.unwrap_or_default(), had.unwrap_or_default());
                assert!(
                    had.len() >= 4 && written.starts_with(&had),
                    "{value} at {counts_at}: {written:?}, {had:?}"
                );
            }
        }
    }
    // Four tasks are sent to, some by two frames each 10 ms; of 120 frames some are lost and some damaged.
    assert!(counts[0] > 100 && counts[1] > 5 && counts[2] > 5, "{counts:?}");
    let fates = |letter| several.fates.chars().filter(|fate| *fate == letter).count();
    assert_eq!(several.fates.chars().count(), 120);
    assert!(counts[1] >= fates('l') && counts[2] >= fates('c'), "a frame has one task or two");
    // Each job that reads over the bus has an arrow for each task that it reads, or one of these didn't arrive in time.
    let vote = |job: usize| parts[1].task(job) == "Left.vote";
    let votes =
        (0..parts[1].history.jobs.len()).filter(|job| vote(*job) && parts[1].release(*job).nanoseconds() > 0);
    for job in votes {
        let arrows = all.iter().filter(|message| message.read.contains(&(1, job))).count();
        let gone = all.iter().filter(|message| {
            message.read.is_empty() && [0, 3].contains(&message.from.0) && {
                let since = parts[1].release(job).since(message.sent).number();
                (1..10_000_000).contains(&since)
            }
        });
        assert!(arrows == 3 || gone.count() > 0, "job {job} has {arrows}");
    }
}

/// The page has a group for each kernel, and each of their writes.
#[test]
fn the_page_of_a_run_has_all_kernels() {
    let _lock = lock("formation");
    let (several, parts) = fly();
    let file = folder().join("out/formation/sim.kernels.json").display().to_string();
    let said = beryl(&["trace", "html", &file]).ended(0);
    assert!(said.contains("out/formation/sim.html: ") && said.contains(" events of 4 kernels, "), "{said}");
    let page = left_text("formation", "sim.html");
    let facts =
        page.split_once("type=\"application/json\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let facts: Value = serde_json::from_str(facts.expect("facts").0).expect("JSON");
    let titles: Vec<_> =
        facts["kernels"].as_array().expect("kernels").iter().map(|own| own["title"].clone()).collect();
    let expected =
        ["leader, node", "left_flight, core of left", "left_watch, core of left", "right, node", "bus"];
    assert_eq!(titles, expected);
    for ((own, part), kernel) in
        facts["kernels"].as_array().expect("kernels").iter().zip(&parts).zip(&several.kernels)
    {
        assert_eq!(own["events"], part.events.len(), "{}", kernel.name);
    }
    // What is about one kernel says so.
    let json: Value =
        serde_json::from_str(beryl(&["trace", "html", &file, "--json"]).ended(0).trim()).expect("JSON");
    assert_eq!(json["kernels"], 4);
    for (arguments, why) in [
        (&["trace", "stats", &file][..], "tells of several kernels, and this is about one"),
        (&["trace", "html", &file, "--beside", &file], "`--beside` is about runs of one kernel"),
    ] {
        let refused = beryl(arguments);
        let err = refused.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(refused.code == Some(1) && err.contains(why), "{}", refused.everything());
    }
    assert!(Path::new(&file).is_file());
}
