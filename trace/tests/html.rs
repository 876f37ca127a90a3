//! The page in a real browser: it says the same as the program, and what it draws is bounded by its pixels.
//!
//! Where there is no Chromium, the tests say so and hold nothing; `./x setup` installs it.

mod common;

use beryl_trace::jobs::History;
use beryl_trace::modes::Modes;
use beryl_trace::timeline::ruler::Unit;
use beryl_trace::why::Chain;
use beryl_trace::{Event, LogicalInstant, Names, Statistics, html};
use common::browser::asked;
use common::workload;

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
/// What is written into the field leaves lanes out, with their colours and headings kept; who goes to one of them has all again.
#[test]
fn lanes_are_chosen_by_parts_of_their_names() {
    let page = html::page(&workload::events(3000, 7), &workload::names(), "workload");
    let script = "const { model, search } = beryl, kept = document.getElementById('kept');
        const lanes = () => beryl.whole.lanes.map((lane) => lane.heading ?? lane.name);
        const write = (words) => { kept.value = words; kept.dispatchEvent(new Event('input')); return lanes(); };
        const all = beryl.whole.lanes, before = new Map(all.map((lane) => [lane.heading ?? lane.name, lane]));
        const told = { some: write('TASK 1, 2') };
        told.isSame = beryl.whole.lanes.every((lane) => {
            const { colour, runs } = before.get(lane.heading ?? lane.name);
            return lane.colour === colour && lane.runs === runs;
        });
        told.tops = beryl.whole.lanes.map((lane) => lane.top);
        told.none = write('nobody'); told.process = write('slow');
        told.isUnknown = !search('nobody'); told.stays = lanes().length;
        told.isFound = search('task 5'); told.again = lanes().length === all.length; told.field = kept.value;
        return told;";
    let Some(said) = asked("kept", &page, script) else { return };
    let expected = serde_json::json!({
        "some": ["fast", "task 1", "task 2", "slow", "task 10", "task 11"],
        "isSame": true,
        "tops": [0, 26, 64, 102, 128, 166],
        "none": [],
        "process": ["slow", "task 8", "task 9", "task 10", "task 11"],
        "isUnknown": true, "stays": 5,
        "isFound": true, "again": true, "field": "",
    });
    assert_eq!(said, expected);
}

#[test]
fn locks_and_interrupts_have_lanes() {
    let mut names = workload::names();
    names.objects.semaphores = vec!["store".to_owned()];
    let page = html::page(&workload::waiting(), &names, "waits");
    let script = "const { model, drawNow, show } = beryl;
        show(0, 400); drawNow();
        const lanes = beryl.whole.lanes.map((lane) => lane.heading ?? lane.name);
        const told = beryl.whole.lanes.filter((lane) => lane.kind === 'span').map((lane) => tellPlace({ scale: 1 }, lane, 90));
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

/// What woke a thread is an arrow to its next run, and words where that run is pointed at; `w` takes the arrows away. They are the
/// program's, and none is drawn where they would cover everything.
#[test]
fn wake_ups_are_arrows() {
    let (names, events) = (workload::names(), workload::waiting());
    let script = "const { model, painter, view, work, drawNow, show } = beryl, { wakes } = model;
        const drawn = (...window) => { show(...window); drawNow(); painter.look(view.from, view.to); const before = work.primitives; drawWakes(painter, 0); return work.primitives - before; };
        const told = { all: [...wakes.at].map((at, wake) => [at, wakes.by[wake], wakes.woken[wake]]) };
        told.drawn = [drawn(0, 1000), drawn(145, 170), drawn(161, 185), drawn(1000, 9000)];
        const tip = (name, instant) => tellPlace({ scale: 1 }, beryl.whole.lanes.find((lane) => lane.name === name), instant).split('\\n').filter((line) => line.startsWith('woken'));
        told.words = [tip('task 2', 156), tip('task 2', 90), tip('task 0', 145), tip('task 0', 210)];
        painter.isCrowded = () => true; told.crowded = drawn(0, 1000); delete painter.isCrowded;
        const line = () => { const canvas = document.getElementById('lanes'); return [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data].reduce((sum, part) => sum + part, 0); };
        show(0, 1000); drawNow(); const before = line();
        dispatchEvent(new KeyboardEvent('keydown', { key: 'w' })); drawNow(); told.isTaken = line() > before;
        return told;";
    let page = html::page(&events, &names, "wakes");
    let Some(said) = asked("wakes", &page, &script.replace("\\\\n", "\\n")) else { return };
    let history = History::of(&events);
    let all: Vec<_> = beryl_trace::wakes::wakes(&events, &history)
        .iter()
        .map(|wake| serde_json::json!([wake.at.ticks(), wake.by, wake.woken]))
        .collect();
    // In each of three rounds a lock is given back, a notification is set, and a message comes while the processor is idle: of
    // that there is no arrow.
    assert_eq!(all.len(), 9);
    let expected = serde_json::json!({
        "all": all, "drawn": [2, 1, 0, 0],
        "words": [["woken by task 0 at 0.0062 ms"], [], ["woken by task 1 at 0.0056 ms"], []],
        "crowded": 0, "isTaken": true,
    });
    assert_eq!(said, expected);
}

/// An interrupt that is served for less than a pixel has a mark of its own.
#[test]
fn short_interrupts_can_be_seen() {
    let script = "const { model, painter, view, drawNow } = beryl, canvas = document.getElementById('lanes'), ratio = devicePixelRatio;
        keepLanes('line'); drawNow(); painter.look(view.from, view.to);
        const lane = beryl.whole.lanes.find((lane) => lane.interrupt), { track } = model.spans.get(lane.span);
        const seen = [...track.from].map((at) => {
            const place = [painter.x(at), 66 + lane.top - view.top + 5].map((pixels) => Math.round(pixels * ratio));
            return [...canvas.getContext('2d').getImageData(...place, 1, 1).data.slice(0, 3)];
        });
        return { seen, widths: [...track.from].map((from, index) => (track.to[index] - from) * painter.scale < 2) };";
    let page = html::page(&workload::waiting(), &workload::names(), "interrupts");
    let Some(said) = asked("interrupts", &page, script) else { return };
    let text = [0x1F, 0x29, 0x33];
    assert_eq!(said, serde_json::json!({ "seen": [text, text, text], "widths": [true, true, true] }));
}

/// The help draws all signs of the lanes and names each key; a second press takes it away. On a narrow page, names leave room.
#[test]
fn the_help_has_signs_and_every_key() {
    let script = "const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key })), panel = document.getElementById('panel');
        press('?');
        const words = ` ${[...panel.querySelectorAll('tr')].map((row) => row.firstChild.textContent).join(' ')} `;
        const told = { unnamed: Object.keys(KEYS).filter((key) => !words.includes(` ${({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', '=': '+', '-': '−', '?': '0' })[key] ?? key} `)) };
        told.blank = [...panel.querySelectorAll('canvas')].map((canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.every((part) => part === 0));
        press('?'); told.closed = panel.hidden;
        press('?'); press('Escape'); told.escaped = panel.hidden;
        told.names = NAMES;
        Object.defineProperty(globalThis, 'innerWidth', { value: 390 });
        resize(); told.narrow = NAMES;
        return told;";
    let page = html::page(&workload::events(300, 7), &workload::names(), "help");
    let Some(said) = asked("help", &page, script) else { return };
    let expected = serde_json::json!({
        "unnamed": [], "blank": vec![false; 14], "closed": true, "escaped": true, "names": 190, "narrow": 110,
    });
    assert_eq!(said, expected);
}

/// The lanes of modes and ports, what the pointer tells there, and what a click on a mode shows.
#[test]
fn modes_and_ports_have_lanes() {
    let page = html::page(&moded(), &workload::names(), "modes");
    let script = "const { model, painter, view, drawNow, show, work } = beryl;
        show(0, 4000); drawNow();
        const lanes = beryl.whole.lanes.map((lane) => lane.heading ?? lane.name), of = (name) => beryl.whole.lanes.find((lane) => lane.name === name);
        const tell = (name, instant) => tellPlace({ scale: 1 }, of(name), instant);
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

/// A module goes from one mode to the other and perhaps back when the trace ends, and publishes once, of
/// which a board has sent half.
fn moded() -> Vec<Event> {
    use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};
    use beryl_trace::{DecodedNote, Happening};
    let at = Instant::from_ticks;
    let react = |ticks, address| {
        let told = DecodedNote::React { program: ProgramId(0), address, instant: at(ticks) };
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

/// What is usual is the median of all jobs, however many: the same for `why`, `stats` and the page, for every
/// task and cause.
#[test]
fn why_stats_and_the_page_agree_on_what_is_usual() {
    for seed in [1, 7, 8] {
        // The longest periods have a dozen jobs, the shortest thousands; some wait behind others of their task.
        let (names, events) = (workload::names(), workload::events(25_000, seed));
        let script = "const told = [];
            for (const [thread, known] of beryl.model.threads) {
                if (!known.jobs.length) continue;
                const found = beryl.chain(beryl.model, known.jobs[known.jobs.length >> 1]);
                told.push([thread, found.verdict, found.parts.map((part) => [part.called, part.usual * 40]).sort()]);
            }
            return told;";
        let Some(said) = asked("usual", &html::page(&events, &names, "workload"), script) else { return };
        let history = History::of(&events);
        let statistics = Statistics::of(&events, &names);
        let mut most = 0;
        for said in said.as_array().expect("a list") {
            let thread = usize::try_from(said[0].as_u64().expect("a number")).expect("small");
            let own = |(_, job): &(usize, &beryl_trace::jobs::Job)| job.task.index() == thread;
            let positions: Vec<usize> =
                history.jobs.iter().enumerate().filter(own).map(|(position, _)| position).collect();
            let chain = Chain::of(&history, &names, positions[positions.len() / 2]).expect("a job");
            let usual = chain.usual.response.map(|usual| names.tick.length(usual));
            let task = &statistics.tasks[thread];
            assert_eq!(usual, task.median_response, "seed {seed}, {}", task.task);
            assert_eq!(chain.usual.jobs, task.completions, "seed {seed}, {}", task.task);
            assert_eq!(said[1], chain.verdict(&names), "seed {seed}, {}", task.task);
            let told = chain.to_json(&history, &names);
            let mut parts: Vec<_> = told["parts"].as_array().expect("parts").iter().collect();
            parts.sort_by_key(|part| part["cause"].as_str());
            // Causes that this job hadn't are on the page with what they usually take.
            for part in parts {
                let on_page = said[2].as_array().expect("parts").iter().find(|own| own[0] == part["cause"]);
                assert_eq!(on_page.map(|own| &own[1]), Some(&part["usually_ns"]), "seed {seed}, {part}");
            }
            most = most.max(task.completions);
        }
        assert!(most > 1000, "more jobs than were once looked at: {most}");
    }
}

/// A button goes from one trouble to the next and opens the reason of each: the chain of its job, or what is
/// known where it has none.
#[test]
fn the_trouble_button_goes_there_and_opens_the_reason() {
    let script = "const { model, view } = beryl, told = [];
        for (const key of ['n', 'n', 'n', 'n', 'n', 'p']) {
            dispatchEvent(new KeyboardEvent('keydown', { key }));
            const panel = document.getElementById('panel');
            const isThere = model.troubles.at.some((at) => view.from <= at && at <= view.to);
            told.push([panel.hidden, panel.querySelector('h2')?.textContent, panel.querySelector('.late')?.textContent, isThere]);
        }
        return told;";
    let page = html::page(&common::troubled(), &common::names(), "troubled");
    let Some(said) = asked("troubles", &page, script) else { return };
    let late = "late: done after 11.5 ms, 1.5 ms after its deadline";
    let skipped = "Control: a driver or release was left out";
    let stopped = "stopped: the program needed its result at 20 ms, and it wasn't done";
    let expected = serde_json::json!([
        [false, "navigate, job 1", late, true],
        [false, "command, job 1", "stopped by a fault at 14 ms", true],
        [false, "navigate, job 2", stopped, true],
        [false, "helicopter, at 20 ms", skipped, true],
        [false, "helicopter, at 20 ms", skipped, true],
        [false, "helicopter, at 20 ms", skipped, true],
    ]);
    assert_eq!(said, expected);
}

/// The axis of the page has the units of all others.
#[test]
fn the_page_has_the_units_of_the_other_views() {
    let script = "const told = [];
        for (let step = 1; step < 1e11; step *= 10) for (let to = step; to < 1e13; to *= 10) told.push([step, to, unitOf(step, to).label(to)]);
        return told;";
    let page = html::page(&common::helicopter(), &common::names(), "helicopter");
    let Some(said) = asked("units", &page, script) else { return };
    for said in said.as_array().expect("a list") {
        let number = |place: usize| said[place].as_u64().expect("a number");
        let to = LogicalInstant::from_nanoseconds(number(1));
        let unit = Unit::of(number(0), to);
        assert_eq!(said[2], format!("{} {}", unit.number(to), unit.name()), "{said}");
    }
}

/// Where notes were lost there is a lane, words, and the number beside the number of events.
#[test]
fn what_was_lost_shows() {
    let mut events = common::helicopter();
    let note = |count| beryl_trace::Happening::Note(beryl_trace::DecodedNote::Lost { count });
    events.insert(10, common::event(12_000, note(5)));
    let script = "const { model, painter, drawNow, work } = beryl;
        drawNow();
        const lane = beryl.whole.lanes.find((lane) => lane.lost), [from] = model.lost.from, [to] = model.lost.to;
        const before = work.primitives;
        painter.drawLost();
        return [lane.name, tellPlace({ scale: 1 }, lane, (from + to) / 2), work.primitives - before, document.getElementById('range').textContent];";
    let Some(said) = asked("lost", &html::page(&events, &common::names(), "lost"), script) else { return };
    let expected = serde_json::json!([
        "lost notes",
        "lost notes: 5 notes were lost\n10.02 ms to 12 ms (1.98 ms)\nclick: all of it",
        1,
        "0.02 ms to 40 ms (39.98 ms) · 38 events · 5 notes were lost",
    ]);
    assert_eq!(said, expected);
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
        return { loaded: performance.timeOrigin ? performance.now() : 0, decoded: work.decoded, lanes: beryl.whole.lanes.length, frames };";
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
            // Sixteen lanes and the overview have 1210 pixels across, a thread's has three tracks and two
            // rows of marks.
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
        const lane = beryl.whole.lanes.find((lane) => lane.name === 'task 5');
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
    let Some(said) = asked("wild", &html::page(&wild, &names, "wild"), "return beryl.whole.lanes.length;")
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
        return [beryl.whole.lanes.length, beryl.work.primitives, beryl.view.top > 1e6];";
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
