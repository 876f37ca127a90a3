//! The page of a trace in a browser: until it is there, and how long a frame takes while one pans.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use beryl_builder::toolchain::root;
use beryl_trace::{Event, Form, Names, ThreadKind, ThreadName, Tick, decode, html};
use serde::Deserialize;

use crate::simulated::{MOST, Scheduler};
use crate::simulator;
use crate::time::{Aim, Row};

const THREADS: u64 = 12;

/// What the page says of itself, in ms.
#[derive(Debug, Deserialize)]
struct Said {
    loaded: f64,
    /// The median of frames in which all of the run is to be seen.
    whole: f64,
    /// The same for a thousandth of it.
    near: f64,
}

/// Forty frames that pan, of the whole run and of a thousandth; the median of each.
const SCRIPT: &str = "const loaded = performance.now(), { model, show, drawNow } = beryl;
    const whole = model.end - model.start;
    const median = (part) => {
        const times = [];
        for (let frame = 0; frame < 40; frame++) {
            const began = performance.now(), from = model.start + whole * frame / 80;
            show(from, from + whole / part);
            drawNow();
            times.push(performance.now() - began);
        }
        return times.sort((one, other) => one - other)[20];
    };
    return { loaded, whole: median(1), near: median(1000) };";

/// For ten thousand, a hundred thousand and a million events.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let all = events(1_000_000)?;
    let mut rows = Vec::new();
    for count in [10_000, 100_000, 1_000_000] {
        let events = all.get(..count).context("fewer events")?;
        let Some(said) = load(&html::page(events, &names(), "workload"))? else { break };
        let row = |what: &str, milliseconds: f64| Row {
            what: format!("{count} events, {what}"),
            took: Duration::from_secs_f64((milliseconds / 1000.0).max(0.0)),
            theirs: None,
            aim: Aim::Open { events: None },
        };
        rows.push((format!("/load-{count}"), row("until the page is there", said.loaded)));
        rows.push((format!("/pan-{count}"), row("a frame of the whole run", said.whole)));
        rows.push((format!("/near-{count}"), row("a frame of a thousandth of it", said.near)));
    }
    Ok(rows)
}

/// A run of the simulator with so many events.
pub fn events(count: usize) -> Result<Vec<Event>> {
    let mut system = simulator::system(Scheduler::EarliestDeadline, THREADS);
    // There are some in each of its ticks.
    system.until = u64::try_from(count)? * 4;
    let events = decode(&system.run(system.tables()?, &system.codes()?, true)?)?;
    events.get(..count).map(<[Event]>::to_vec).context("the run is too short")
}

/// What its threads are called.
pub fn names() -> Names {
    let thread = |name: String, kind| ThreadName {
        name,
        process: "all".to_owned(),
        kind,
        declared: None,
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let mut threads: Vec<_> =
        (0..MOST).map(|number| thread(format!("thread {number}"), ThreadKind::Task)).collect();
    threads.push(thread("idle".to_owned(), ThreadKind::Idle));
    Names {
        form: Form,
        system: "workload".to_owned(),
        board: String::new(),
        tick: Tick::new(1_000_000, 1).unwrap_or_else(|| unreachable!("it isn't zero")),
        processes: vec!["all".to_owned()],
        threads,
        drivers: Vec::new(),
        programs: Vec::new(),
        objects: Default::default(),
        modes: Default::default(),
        ports: Default::default(),
        states: Vec::new(),
        assertions: Vec::new(),
        depths: Vec::new(),
        units: Default::default(),
    }
}

fn load(page: &str) -> Result<Option<Said>> {
    let tail = format!(
        "<script>const said = (() => {{ {SCRIPT} }})();
        document.body.replaceChildren(btoa(JSON.stringify(said)));</script></body>"
    );
    let Some(mut browser) = opened(&page.replace("</body>", &tail), &["--dump-dom"])? else {
        return Ok(None);
    };
    let output = browser.output().context("the browser doesn't start")?;
    let dom = String::from_utf8_lossy(&output.stdout);
    let body = dom.rsplit_once("<body>").and_then(|(_, rest)| rest.split_once('<'));
    let told = body.and_then(|(body, _)| STANDARD.decode(body.trim()).ok());
    serde_json::from_slice(&told.context("the page's script didn't run to its end")?)
        .context("what the page says")
        .map(Some)
}

/// A browser that opens a page; nothing where there is none.
pub fn opened(page: &str, options: &[&str]) -> Result<Option<Command>> {
    let Some(browser) = browser() else {
        eprintln!("there is no Chromium, so no page is loaded; `./x setup` installs it");
        return Ok(None);
    };
    let folder = root().join("target/bench/host/page");
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let file = folder.join("page.html");
    std::fs::write(&file, page).with_context(|| format!("can't write {}", file.display()))?;
    let mut command = Command::new(browser);
    command
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,800"])
        .args(options)
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()));
    Ok(Some(command))
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}
