//! The page in a real browser: it says the same as the program, and what it draws is bounded by its pixels.
//!
//! Where there is no Chromium, the tests say so and hold nothing; `./x setup` installs it.

mod common;

use std::path::PathBuf;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use beryl_trace::jobs::History;
use beryl_trace::modes::Modes;
use beryl_trace::why::Chain;
use beryl_trace::{Event, Names, html};
use common::workload;
use serde_json::Value;

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

/// What `script`, a function's body, answers on a page; nothing where there is no browser.
fn asked(name: &str, page: &str, script: &str) -> Option<Value> {
    let Some(browser) = browser() else {
        eprintln!("{name}: not tried, there is no Chromium; `./x setup` installs it");
        return None;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let tail = format!(
        "<script>const said = (() => {{ {script} }})();
        document.body.replaceChildren(btoa(unescape(encodeURIComponent(JSON.stringify(said)))));</script></body>"
    );
    let file = folder.join("page.html");
    std::fs::write(&file, page.replace("</body>", &tail)).expect("writable");
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,800", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout);
    let body =
        dom.rsplit_once("<body>").and_then(|(_, rest)| rest.split_once('<')).map(|(body, _)| body.trim());
    let told = body.and_then(|body| STANDARD.decode(body).ok()).expect("the page's script ran to its end");
    Some(serde_json::from_slice(&told).expect("JSON"))
}

#[test]
fn the_page_says_why_in_the_same_words_as_the_program() {
    let (names, mut events) = (workload::names(), workload::events(3000, 7));
    // As on a board, the kernel takes a moment to tell.
    for event in &mut events {
        event.time = event.time.after(beryl_abi::Duration::from_ticks(3));
    }
    says_the_same("why", &names, &events, "the kernel comes first");
}

/// The same where threads wait for locks, messages and interrupts.
#[test]
fn the_page_says_what_was_waited_for_in_the_same_words_as_the_program() {
    let (mut names, events) = (workload::names(), workload::waiting());
    names.objects.semaphores = vec!["store".to_owned()];
    names.threads[2].kind = beryl_trace::ThreadKind::Free;
    for words in ["which task 1 has: it runs in its place", "it had waited for a notification, which came at"]
    {
        says_the_same("waits", &names, &events, words);
    }
}

/// The lanes of locks and interrupts, and what the pointer tells there.
#[test]
fn locks_and_interrupts_have_lanes() {
    let mut names = workload::names();
    names.objects.semaphores = vec!["store".to_owned()];
    let page = html::page(&workload::waiting(), &names, "waits");
    let script = "const { model, drawNow, show } = beryl;
        show(0, 400); drawNow();
        const lanes = model.lanes.map((lane) => lane.heading ?? lane.name);
        const told = model.lanes.filter((lane) => lane.kind === 'span').map((lane) => tellPlace(model, { scale: 1 }, lane, 90));
        return { lanes: lanes.slice(lanes.indexOf('locks')), told };";
    let Some(said) = asked("spans", &page, script) else { return };
    let expected = serde_json::json!({
        "lanes": ["locks", "semaphore store", "interrupts", "line 10"],
        "told": [
            "semaphore store: held by task 1\n0.0004 ms to 0.0056 ms (5.2 us)\nclick: all of it",
            "line 10: served by task 2\n0.0032 ms to 0.004 ms (800 ns)\nclick: all of it",
        ],
    });
    assert_eq!(said, expected);
}

/// The lanes of modes and ports, what the pointer tells there, and what a click on a mode shows.
#[test]
fn modes_and_ports_have_lanes() {
    let page = html::page(&moded(), &workload::names(), "modes");
    let script = "const { model, painter, view, drawNow, show, work } = beryl;
        show(0, 4000); drawNow();
        const lanes = model.lanes.map((lane) => lane.heading ?? lane.name), of = (name) => model.lanes.find((lane) => lane.name === name);
        const tell = (name, instant) => tellPlace(model, { scale: 1 }, of(name), instant);
        const told = [tell('Flight', 700), tell('Flight', 1400), tell('Flight', 2900), tell('task 0.speed', 1001), tell('task 0.height', 1001), tell('task 0.speed', 1900)];
        const canvas = document.getElementById('lanes'), box = canvas.getBoundingClientRect(), band = of('Flight');
        canvas.setPointerCapture = () => {};
        painter.look(view.from, view.to);
        const place = { clientX: box.left + painter.x(1400), clientY: box.top + 66 + band.top - view.top + 10, pointerId: 1, bubbles: true };
        for (const kind of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(kind, place));
        return { lanes: [lanes.slice(0, 2), lanes.slice(lanes.indexOf('ports'))], told, shown: [view.from, view.to].map(Math.round) };";
    let Some(said) = asked("modes", &page, script) else { return };
    let expected = serde_json::json!({
        "lanes": [["modes", "Flight"], ["ports", "task 0.speed", "task 0.height"]],
        "told": [
            "Flight: in mode low\n0 ms to 0.04 ms (40 us)\nclick: all of it",
            "Flight: in mode high\n0.04 ms to 0.08 ms (40 us)\nclick: all of it",
            null,
            "task 0.speed = 7\nat 0.04 ms, published 200 ns after",
            "task 0.height = value left out of this page\nat 0.04 ms, published 200 ns after",
            null,
        ],
        "shown": [900, 2100],
    });
    assert_eq!(said, expected);
}

/// A module goes from one mode to the other and perhaps back when the trace ends, and publishes once, of which a board has sent half.
fn moded() -> Vec<Event> {
    use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};
    use beryl_trace::{Happening, Told};
    let at = Instant::from_ticks;
    let react = |ticks, address| {
        let told = Told::React { program: ProgramId(0), address, instant: at(ticks) };
        Event { time: at(ticks), happening: Happening::Note(told) }
    };
    let publish = Happening::Driver { driver: DriverId(2), instant: at(1000), value: vec![7, 0, 0, 0] };
    let publish = Event { time: at(1005), happening: publish };
    let idle = ThreadId(12);
    let end = Event { time: at(3000), happening: Happening::Switch { from: ThreadId(0), to: idle } };
    vec![react(0, 0), react(1000, 1), publish, react(2000, 20), end]
}

/// Compares the chains of all jobs; somewhere these words must stand.
fn says_the_same(name: &str, names: &Names, events: &[Event], words: &str) {
    let page = html::page(events, names, "workload");
    let script = "const told = [];
        for (let job = 0; job < beryl.model.columns.jobs.count; job++) {
            const found = beryl.chain(beryl.model, job);
            told.push([found.task, found.number, found.verdict, found.steps.map((step) => step.reason),
                found.parts.filter((part) => part.here > 0).map((part) => [part.called, part.here * 40, part.usual * 40]), found.modes]);
        }
        return told;";
    let Some(said) = asked(name, &page, script) else { return };
    let (history, modes) = (History::of(events), Modes::of(events, names));
    let said = said.as_array().expect("a list");
    assert_eq!(said.len(), history.jobs.len());
    assert!(said.iter().any(|said| said.to_string().contains(words)), "{said:?}");
    for (position, said) in said.iter().enumerate() {
        let chain = Chain::of(&history, names, position).expect("a job");
        let told = chain.to_json(&history, names);
        let reasons: Vec<_> =
            told["steps"].as_array().expect("steps").iter().map(|step| &step["reason"]).collect();
        assert_eq!((&said[0], &said[1], &said[2]), (&told["task"], &told["job"], &told["verdict"]));
        assert_eq!(said[3].as_array().expect("reasons").iter().collect::<Vec<_>>(), reasons, "{position}");
        let parts = told["parts"].as_array().expect("parts").iter();
        let parts: Vec<_> = parts
            .map(|part| serde_json::json!([part["cause"], part["here_ns"], part["usually_ns"]]))
            .collect();
        assert_eq!(said[4], serde_json::json!(parts), "{position}");
        let end = chain.job.end.unwrap_or_else(|| chain.end());
        let around = modes.around(chain.job.task, chain.job.release, end, names);
        assert_eq!(said[5], serde_json::json!(around), "{position}");
    }
}

#[test]
fn what_a_frame_draws_does_not_grow_with_the_events() {
    let script = "const { model, view, work, show, drawNow } = beryl;
        const whole = model.end - model.start;
        const frames = [1, 10, 100, 1000, 10000].map((part) => {
            let [most, searches, began] = [0, 0, performance.now()];
            for (let frame = 0; frame < 20; frame++) {
                Object.assign(work, { primitives: 0, searches: 0 });
                show(model.start + whole * frame / 40, model.start + whole * frame / 40 + whole / part);
                drawNow();
                most = Math.max(most, work.primitives);
                searches = Math.max(searches, work.searches);
            }
            return { part, primitives: most, searches, milliseconds: (performance.now() - began) / 20 };
        });
        return { loaded: performance.timeOrigin ? performance.now() : 0, decoded: work.decoded, lanes: model.lanes.length, frames };";
    let mut drawn = Vec::new();
    for count in [10_000, 100_000, 1_000_000] {
        let (names, events) = (workload::names(), workload::events(count, 7));
        let page = html::page(&events, &names, "workload");
        let Some(said) = asked(&format!("load-{count}"), &page, script) else { return };
        println!("{count} events, {} bytes of page: {said}", page.len());
        let decoded = said["decoded"].as_u64().expect("a number");
        assert!(
            decoded < 12 * u64::try_from(count).expect("small"),
            "loading reads each number once: {decoded}"
        );
        for frame in said["frames"].as_array().expect("frames") {
            let [primitives, searches] =
                ["primitives", "searches"].map(|key| frame[key].as_u64().expect("a number"));
            // Sixteen lanes and the overview have 1210 pixels across, a thread's has three tracks and two rows of marks.
            assert!(primitives < 17 * 5 * 1210, "{count}: {frame}");
            assert!(searches < 17 * 5 * 1210 * 20, "{count}: {frame}");
            drawn.push(primitives);
        }
    }
    // Where pixels are full, more events are no more to draw.
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    assert!(most(&drawn[10..]) * 5 < most(&drawn[5..10]) * 6, "{drawn:?}");
}

#[test]
fn wheel_drag_click_and_keys_do_what_the_help_says() {
    let (names, events) = (workload::names(), workload::events(3000, 7));
    let script = "const { model, painter, view, drawNow } = beryl;
        const canvas = document.getElementById('lanes'), box = canvas.getBoundingClientRect();
        const at = (x, y) => ({ clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true });
        const pointer = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, at(x, y)));
        const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key }));
        canvas.setPointerCapture = () => {};
        const told = {}, length = () => view.to - view.from, whole = length();
        canvas.dispatchEvent(new WheelEvent('wheel', { ...at(600, 200), deltaY: -480, cancelable: true }));
        told.wheel = length() / whole;
        const before = view.from;
        pointer('pointerdown', 600, 200); pointer('pointermove', 500, 200); pointer('pointerup', 500, 200);
        told.dragged = (view.from - before) / length() * (painter.width - 190);
        const lane = model.lanes.find((lane) => lane.name === 'task 5');
        press('0'); told.all = length() / whole;
        beryl.search('task 5@20ms');
        const job = model.jobBefore(lane.thread, 20 * model.ticksInMillisecond);
        painter.look(view.from, view.to);
        pointer('pointermove', painter.x(model.columns.jobs.release[job]) + 2, 66 + lane.top - view.top + 25);
        told.tip = document.getElementById('tip').textContent;
        press('Escape'); told.closed = document.getElementById('panel').hidden;
        painter.look(view.from, view.to);
        const [x, y] = [painter.x(model.columns.jobs.release[job]) + 2, 66 + lane.top - view.top + 25];
        pointer('pointerdown', x, y); pointer('pointerup', x, y);
        told.panel = document.querySelector('#panel h2').textContent;
        told.steps = document.querySelectorAll('#panel tr.step').length;
        press('t'); told.theme = document.documentElement.dataset.theme;
        press('n'); told.trouble = document.getElementById('next').disabled;
        told.unknown = [beryl.search('nobody'), beryl.search('1parsec'), beryl.search('30ms')];
        return told;";
    let Some(said) = asked("hands", &html::page(&events, &names, "workload"), script) else { return };
    assert_eq!(said["wheel"], 0.25, "{said}");
    assert!(said["dragged"].as_f64().is_some_and(|pixels| (pixels - 100.0).abs() < 0.01), "{said}");
    assert_eq!(
        (&said["all"], &said["closed"], &said["panel"]),
        (&1.into(), &true.into(), &"task 5, job 5".into()),
        "{said}"
    );
    let tip = said["tip"].as_str().expect("a tip");
    assert!(tip.contains("job 5: released at 20 ms, due at 25 ms") && tip.ends_with("click: why"), "{tip}");
    assert!(said["steps"].as_u64().is_some_and(|steps| steps > 0), "{said}");
    assert_eq!(
        (&said["theme"], &said["unknown"]),
        (&"dark".into(), &serde_json::json!([false, false, true])),
        "{said}"
    );
}

#[test]
fn traces_that_say_nothing_sensible_are_drawn_too() {
    let names = common::names();
    for (name, events) in
        [("empty", vec![]), ("troubled", common::troubled()), ("helicopter", common::helicopter())]
    {
        let page = html::page(&events, &names, name);
        let script =
            "beryl.zoom(0.001); beryl.pan(500); beryl.select(0); beryl.drawNow(); return beryl.work.frames;";
        let Some(said) = asked(name, &page, script) else { return };
        assert!(said.as_u64().is_some_and(|frames| frames > 0), "{name}: {said}");
    }
    let wild = wild(&names);
    let Some(said) = asked("wild", &html::page(&wild, &names, "wild"), "return beryl.model.lanes.length;")
    else {
        return;
    };
    assert!(said.as_u64().is_some_and(|lanes| lanes > 0), "{said}");
}

/// As many lanes as numbers allow: only those that can be seen are drawn.
#[test]
fn sixty_thousand_lanes_are_as_quick_as_a_screenful() {
    use beryl_abi::{DriverId, Instant};
    use beryl_trace::{DriverKind, DriverName, Happening, ValueType};
    let mut names = common::names();
    let driver = |number| DriverName {
        name: format!("sensor {number}"),
        kind: DriverKind::Sensor,
        value: ValueType::Byte,
    };
    names.drivers = (0..=u16::MAX).map(driver).collect();
    let at = |number: u16| Instant::from_ticks(u64::from(number) * 100);
    let mark = |number| Happening::Driver { driver: DriverId(number), instant: at(number), value: vec![1] };
    let events: Vec<Event> =
        (0..=u16::MAX).map(|number| Event { time: at(number), happening: mark(number) }).collect();
    let script = "beryl.search('sensor 60000'); beryl.work.primitives = 0; beryl.drawNow();
        return [beryl.model.lanes.length, beryl.work.primitives, beryl.view.top > 1e6];";
    let Some(said) = asked("lanes", &html::page(&events, &names, "lanes"), script) else { return };
    assert!(said[0].as_u64().is_some_and(|lanes| lanes > 65_536) && said[2] == true, "{said}");
    assert!(said[1].as_u64().is_some_and(|primitives| primitives < 500), "{said}");
}

/// Instants at both ends of what can be written, threads that nobody knows.
fn wild(names: &Names) -> Vec<Event> {
    use beryl_abi::{Instant, ThreadId};
    use beryl_trace::Happening;
    let last = ThreadId(u8::try_from(names.threads.len() + 200).expect("a byte"));
    let event = |time, happening| Event { time, happening };
    let release = |instant, deadline| Happening::Release { task: last, instant, deadline };
    vec![
        event(Instant::NEVER, release(Instant::NEVER, Instant::START)),
        event(Instant::START, release(Instant::START, Instant::NEVER)),
        event(Instant::START, Happening::Switch { from: last, to: ThreadId(255) }),
        event(Instant::NEVER, Happening::Complete { task: last }),
    ]
}
