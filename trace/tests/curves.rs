//! Curves of values on the page, in a real browser: what they say is what a plain list of the values says.
//!
//! Where there is no Chromium, the tests say so and hold nothing; `./x setup` installs it.

mod common;

use beryl_abi::{DriverId, Instant, StateMessageId, ThreadId};
use beryl_testing::{Draw, SplitMix64};
use beryl_trace::curve::csv;
use beryl_trace::html::{self, Run};
use beryl_trace::jobs::History;
use beryl_trace::load::Load;
use beryl_trace::ports::{PortName, Writer};
use beryl_trace::states::StateName;
use beryl_trace::timeline::{svg, terminal};
use beryl_trace::{
    Curve, DriverKind, DriverName, Event, Happening, LogicalInstant, Names, Nanoseconds, Tick, ValueType,
};
use common::browser::{asked, pictured};
use common::workload;
use serde_json::{Value, json};

const END: u64 = 10_000;

/// A sensor, an actuator, and a driver that publishes two ports.
fn names() -> Names {
    let kind = |text: &str| ValueType::try_from(text.to_owned()).expect("a type");
    let driver = |name: &str, of, value| DriverName { name: name.into(), kind: of, value: kind(value) };
    let port = |name: &str, value, offset| PortName {
        name: name.into(),
        value: kind(value),
        writers: vec![Writer { driver: 2, offset }],
    };
    let units = [("height", "mm"), ("rotor", "1/min"), ("fly.pose.y", "m")];
    Names {
        drivers: vec![
            driver("height", DriverKind::Sensor, "int"),
            driver("rotor", DriverKind::Actuator, "float"),
            driver("publish fly", DriverKind::Copy, "{ short x; double y; boolean ok; }"),
        ],
        ports: vec![port("fly.pose", "{ short x; double y; }", 0), port("fly.ok", "boolean", 10)],
        states: vec![StateName { number: 4, name: "set point".into(), value: kind("float[2]") }],
        units: units.map(|(name, unit)| (name.to_owned(), unit.to_owned())).into_iter().collect(),
        ..common::names()
    }
}

fn moved(driver: u16, ticks: u64, value: Vec<u8>) -> Event {
    let at = Instant::from_ticks(ticks);
    let happening = Happening::Driver { driver: DriverId(driver), instant: at, value };
    Event { time: Instant::from_ticks(ticks + 3), happening }
}

/// A state message was found written so often.
fn found(ticks: u64, writes: u32, value: [f32; 2]) -> Event {
    let value = value.iter().flat_map(|number| number.to_le_bytes()).collect();
    let happening = Happening::State { message: StateMessageId(4), writes, value };
    Event { time: Instant::from_ticks(ticks), happening }
}

fn pose(x: i16, y: f64, ok: bool) -> Vec<u8> {
    [x.to_le_bytes().as_slice(), &y.to_le_bytes(), &[ok.into()]].concat()
}

/// A run from 0 to `END` with these values in it.
fn run(values: impl IntoIterator<Item = Event>) -> Vec<Event> {
    let switch = |ticks| Event {
        time: Instant::from_ticks(ticks),
        happening: Happening::Switch { from: ThreadId(0), to: ThreadId(3) },
    };
    let mut events: Vec<Event> = [switch(0)].into_iter().chain(values).collect();
    events.push(switch(END));
    events
}

/// A number over time, as a plain list.
#[derive(Default)]
struct Plain(Vec<(u64, f64)>);

impl Plain {
    fn value(&self, at: u64) -> Option<f64> {
        self.0.iter().rev().find(|(from, _)| *from <= at).map(|(_, value)| *value)
    }

    /// The least, the greatest, the mean over time, and how many came.
    fn seen(&self, from: u64, to: u64) -> (f64, f64, f64, usize) {
        let came: Vec<f64> =
            self.0.iter().filter(|(at, _)| (from..=to).contains(at)).map(|(_, value)| *value).collect();
        let before =
            self.0.iter().rev().find(|(at, _)| *at < from && !self.0.iter().any(|(at, _)| *at == from));
        let all: Vec<f64> = before.map(|(_, value)| *value).into_iter().chain(came.iter().copied()).collect();
        let ticks: Vec<f64> = (from..to).filter_map(|at| self.value(at)).collect();
        let mean = match ticks.len() {
            0 => self.value(to).unwrap_or(f64::NAN),
            count => ticks.iter().sum::<f64>() / f64::from(u32::try_from(count).expect("few")),
        };
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least, most, mean, came.len())
    }
}

fn is_near(one: &Value, other: f64) -> bool {
    one.as_f64().is_some_and(|one| (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0))
}

#[test]
fn curves_say_what_a_plain_list_of_the_values_says() {
    for seed in [1, 2, 3] {
        let mut random = SplitMix64(seed);
        let (mut height, mut y, mut events) = (Plain::default(), Plain::default(), Vec::new());
        let mut at = 0;
        // Many at an instant, and long gaps.
        while at < END {
            let value = i32::try_from(random.within(0, 2000)).expect("small") - 1000;
            events.push(moved(0, at, value.to_le_bytes().to_vec()));
            height.0.push((at, value.into()));
            let number = f64::from(u32::try_from(random.within(0, 1 << 20)).expect("small")) / 8.0;
            // A board sends only the beginning of a long value.
            let is_cut = random.chance(20);
            let bytes = pose(1, number, true);
            events.push(moved(2, at, bytes[..if is_cut { 5 } else { bytes.len() }].to_vec()));
            if !is_cut {
                y.0.push((at, number));
            }
            at += random.within(0, 3) * random.within(0, 12);
        }
        let windows: Vec<[u64; 2]> = (0..60)
            .map(|_| {
                let from = random.within(0, END - 1);
                [from, random.within(from, END)]
            })
            .collect();
        let script = format!(
            "const told = (name) => {{
                const [curve] = beryl.model.curves.find((entry) => entry.name === name).curves;
                return {}.map(([from, to]) => [curve.seen(from, to), curve.value(from) ?? null]);
            }};
            return [told('height'), told('fly.pose.y')];",
            json!(windows)
        );
        let page = html::page(&run(events), &names(), "random");
        let Some(said) = asked("curves", &page, &script) else { return };
        for (said, plain) in [(&said[0], &height), (&said[1], &y)] {
            for (said, [from, to]) in said.as_array().expect("windows").iter().zip(&windows) {
                let (least, most, mean, count) = plain.seen(*from, *to);
                let place = format!("seed {seed}, {from} to {to}: {said}");
                assert_eq!(said[1].as_f64(), plain.value(*from), "{place}");
                assert_eq!(said[0]["count"], count, "{place}");
                if least <= most {
                    assert!(is_near(&said[0]["least"], least) && is_near(&said[0]["most"], most), "{place}");
                    assert!(is_near(&said[0]["mean"], mean), "{place}, not {mean}");
                }
            }
        }
    }
}

/// What a script answers with all cells of the table.
const TABLE: &str = "const table = () => [...document.querySelectorAll('#heads, #rows tr')].map((row) => [...row.children].map((cell) => cell.textContent));
    const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key }));";

fn flight() -> Vec<Event> {
    let height = |at, value: i32| moved(0, at, value.to_le_bytes().to_vec());
    let rotor = |at, value: f32| moved(1, at, value.to_le_bytes().to_vec());
    run([
        height(0, 100),
        rotor(0, 0.1),
        moved(2, 1000, pose(-3, 2.5, true)),
        height(2500, 300),
        rotor(5000, -7.25),
        moved(2, 6000, pose(4, 2.5, true)),
        height(7500, 200),
    ])
}

#[test]
fn cursors_measure_and_the_table_says_it_in_text() {
    let script = format!(
        "{TABLE} const {{ curves, view, show, drawNow }} = beryl, told = {{}};
        drawNow();
        told.entries = [...document.querySelectorAll('#entries label')].map((row) => [row.querySelector('input').checked, row.textContent]);
        show(2000, 4000); press('a'); press(']'); drawNow();
        told.from = curves.cursors.A;
        show(4000, 8000); press('b'); drawNow();
        told.table = table();
        told.caption = document.getElementById('caption').textContent;
        press('['); told.back = curves.cursors.B; press(']'); press(']'); press(']'); told.last = curves.cursors.B;
        document.querySelectorAll('#entries input')[1].click(); drawNow();
        told.shown = table().map(([name]) => name);
        const plot = document.getElementById('plot'), box = plot.getBoundingClientRect();
        plot.setPointerCapture = () => {{}};
        const click = (x, shiftKey) => ['pointerdown', 'pointerup'].forEach((kind) => plot.dispatchEvent(new PointerEvent(kind, {{ clientX: box.left + x, clientY: box.top + 50, pointerId: 1, bubbles: true, shiftKey }})));
        show(0, 10000); click(190, false); click(1400, true); told.clicked = {{ ...curves.cursors }};
        plot.dispatchEvent(new PointerEvent('pointermove', {{ clientX: box.left + 700, clientY: box.top + 50, pointerId: 1, bubbles: true }}));
        told.tip = document.getElementById('tip').textContent.split('\\n').slice(1);
        press('x'); told.taken = Object.keys(curves.cursors).length;
        press('c'); told.closed = document.getElementById('curves').hidden; press('c');
        document.getElementById('filter').value = 'POSE'; document.getElementById('filter').dispatchEvent(new Event('input'));
        told.filtered = [...document.querySelectorAll('#entries .name')].map((name) => name.textContent);
        return told;"
    );
    let page = html::page(&flight(), &names(), "flight");
    let Some(said) = asked("cursors", &page, &script) else { return };
    let expected = json!({
        "entries": [
            [true, "heightmm"], [true, "rotor1/min"], [true, "fly.pose.x"], [true, "fly.pose.ym"], [false, "fly.ok"],
            [false, "load%"], [false, "load of navigate%"],
        ],
        // The middle of what could be seen was at 3000, and the next value of any shown curve at 5000.
        "from": 5000,
        "caption": "A at 0.2 ms, B at 0.24 ms, B − A = 40 us · least, greatest, mean and values: of 160 us to 320 us",
        "table": [
            ["curve", "unit", "at A", "at B", "B − A", "least", "greatest", "mean", "values"],
            ["height", "mm", "300", "300", "0", "200", "300", "287.5", "1"],
            ["rotor", "1/min", "-7.25", "-7.25", "0", "-7.25", "0.1", "-5.4125", "1"],
            ["fly.pose.x", "", "-3", "4", "7", "-3", "4", "0.5", "1"],
            ["fly.pose.y", "m", "2.5", "2.5", "0", "2.5", "2.5", "2.5", "1"],
        ],
        "back": 5000, "last": 7500,
        "shown": ["curve", "height", "fly.pose.x", "fly.pose.y"],
        "clicked": { "A": 0, "B": 10000 },
        "tip": ["height = 300 mm", "fly.pose.x = -3", "fly.pose.y = 2.5 m"],
        "taken": 0, "closed": true,
        "filtered": ["fly.pose.x", "fly.pose.y"],
    });
    assert_eq!(said, expected);
}

/// The second run was recorded where a tick is 8 ns instead of 40, and its rotor differs once.
#[test]
fn values_of_two_runs_lie_over_each_other() {
    let (names, events) = (names(), flight());
    let other = Names { tick: Tick::new(8, 1).expect("not zero"), ..names.clone() };
    let slower = |event: &Event| {
        let Happening::Driver { driver, instant, value } = &event.happening else {
            return Event { time: Instant::from_ticks(event.time.ticks() * 5), ..event.clone() };
        };
        let value = if value == &(-7.25_f32).to_le_bytes() {
            (-7.5_f32).to_le_bytes().to_vec()
        } else {
            value.clone()
        };
        moved(driver.0, instant.ticks() * 5, value)
    };
    let beside: Vec<Event> = events.iter().map(slower).collect();
    let page = html::page_of(&[
        Run { events: &events, names: &names, title: "on sim", log: None },
        Run { events: &beside, names: &other, title: "on the board", log: None },
    ]);
    let script = format!(
        "{TABLE} beryl.drawNow();
        const canvas = document.getElementById('plot'), ratio = devicePixelRatio;
        const {{ data }} = canvas.getContext('2d').getImageData(200 * ratio, 0, 1000 * ratio, canvas.height);
        const colours = COLOURS.light.lanes.slice(0, 4).map((colour) => [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16)));
        const pixels = colours.map(([red, green, blue]) => {{
            let count = 0;
            for (let at = 0; at < data.length; at += 4) if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++;
            return count > 100;
        }});
        const [curves] = beryl.model.curves.map((entry) => entry.curves);
        return {{ table: table().slice(1).map((row) => [row[0], row[6], ...row.slice(9)]), pixels, at: [...curves[1].at], end: curves[1].end }};"
    );
    let Some(said) = asked("beside", &page, &script) else { return };
    let row = |name: &str, most: &str, run: &str, against: &str| json!([name, most, run, against]);
    let expected = json!({
        "table": [
            row("height", "300", "on sim", ""), row("height", "300", "on the board", "the same"),
            row("rotor", "0.1", "on sim", ""), row("rotor", "0.1", "on the board", "differs from 0.2 ms on"),
            row("fly.pose.x", "4", "on sim", ""), row("fly.pose.x", "4", "on the board", "the same"),
            row("fly.pose.y", "2.5", "on sim", ""), row("fly.pose.y", "2.5", "on the board", "the same"),
        ],
        // All four can be seen.
        "pixels": [true, true, true, true],
        "at": [0, 2500, 7500], "end": 10000,
    });
    assert_eq!(said, expected);
    let picture = pictured("beside", &page, "beryl.curves.put('A', 1500); beryl.curves.put('B', 6000);");
    let bytes = picture.and_then(|picture| std::fs::read(picture).ok()).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"), "to be looked at in {}", env!("CARGO_TARGET_TMPDIR"));
}

/// From when they were found; of a value that broke off only what came.
#[test]
fn state_messages_have_curves_and_lanes() {
    let names = names();
    let mut cut = found(6000, 1, [3.0, 0.0]);
    if let Happening::State { value, .. } = &mut cut.happening {
        value.truncate(4);
    }
    let events = run([found(2000, 1, [1.5, 10.0]), found(4000, 2, [2.5, 20.0]), cut]);
    let curves = Curve::all(&events, &names);
    let steps: Vec<(String, Vec<(u64, f64)>)> = curves
        .iter()
        .map(|curve| {
            let steps = curve.steps.iter().map(|step| (step.at.nanoseconds() / 40, step.number.value()));
            (curve.name.clone(), steps.collect())
        })
        .collect();
    assert_eq!(
        steps,
        [
            ("set point[0]".to_owned(), vec![(2000, 1.5), (4000, 2.5), (6000, 3.0)]),
            ("set point[1]".to_owned(), vec![(2000, 10.0), (4000, 20.0)]),
        ]
    );
    let script = "const lanes = beryl.whole.lanes, lane = lanes.find((lane) => lane.name === 'set point');
        return {
            headings: lanes.filter((lane) => lane.kind === 'heading').map((lane) => lane.heading),
            told: tellSignal(beryl.model, lane, 4100, 500),
            entries: [...document.querySelectorAll('#entries .name')].map((name) => name.textContent),
        };";
    let Some(said) = asked("states", &html::page(&events, &names, "states"), script) else { return };
    assert_eq!(said["headings"].as_array().and_then(|all| all.last()), Some(&json!("state messages")));
    assert_eq!(said["told"], "set point = [2.5, 20]\nfound there at 0.16 ms");
    assert_eq!(
        said["entries"].as_array().map(|all| all[..2].to_vec()),
        Some(vec![json!("set point[0]"), json!("set point[1]")])
    );
}

/// The page writes the shown curves of a window as the program does.
#[test]
fn the_page_writes_the_lines_of_the_program() {
    let (mut names, events) = (names(), flight());
    names.drivers[0].name = "height, \"true\"".to_owned();
    let curves = Curve::all(&events, &names);
    let windows = [(0, END), (1, 2499), (2500, 6000), (6001, 6002), (9000, END)];
    let script = format!(
        "beryl.curves.choose(beryl.model.curves.filter((entry) => !entry.isLoad).map(({{ key }}) => key));
        return {}.map(([from, to]) => linesOf(beryl.curves.shown, from, to, beryl.whole));",
        json!(windows)
    );
    let Some(said) = asked("lines", &html::page(&events, &names, "flight"), &script) else { return };
    let at = |ticks| names.tick.logical(Instant::from_ticks(ticks));
    let expected = windows.map(|(from, to)| csv::table(&curves, None, at(from), at(to)));
    assert!(
        expected[0].lines().count() == 7 && expected[0].contains("\"height, \"\"true\"\"\""),
        "{}",
        expected[0]
    );
    assert_eq!(said, json!(expected));
}

/// The same in a terminal and as a picture, as recorded.
#[test]
fn curves_are_drawn_without_a_browser() {
    let (names, events) = (names(), flight());
    let curves = Curve::all(&events, &names);
    let window = |from, to| (LogicalInstant::from_nanoseconds(from), LogicalInstant::from_nanoseconds(to));
    let drawn = terminal::curves::render(&curves, window(0, 400_000), 80, false);
    let part = terminal::curves::render(&curves, window(0, 30_000), 60, false);
    common::assert_recorded("terminal/curves.txt", &format!("{drawn}\n{part}"));
    common::assert_recorded("svg/curves.svg", &svg::curves::render(&curves, window(0, 400_000), "flight"));
}

#[test]
fn numbers_are_written_as_the_program_writes_them() {
    let mut random = SplitMix64(11);
    let mut cases: Vec<(&str, Vec<u8>)> = Vec::new();
    for _ in 0..400 {
        let bits = random.next().to_le_bytes().to_vec();
        cases.push(("float", bits[..4].to_vec()));
        cases.push(("double", bits.clone()));
        cases.push(("short", bits[..2].to_vec()));
        cases.push(("boolean", vec![bits[0] % 3]));
    }
    for float in
        [0.0, -0.0, 1e9, 1e21, 1e-7, f32::MAX, f32::MIN_POSITIVE, 16_777_216.0, f32::INFINITY, f32::NAN]
    {
        cases.push(("float", float.to_le_bytes().to_vec()));
        cases.push(("double", f64::from(float).to_le_bytes().to_vec()));
    }
    let drivers = cases.iter().zip(0_u16..).map(|((kind, _), number)| DriverName {
        name: format!("s{number}"),
        kind: DriverKind::Sensor,
        value: ValueType::try_from((*kind).to_owned()).expect("a type"),
    });
    let names = Names { drivers: drivers.collect(), ports: vec![], states: vec![], ..names() };
    let events: Vec<Event> =
        (0..).zip(&cases).map(|(number, (_, bytes))| moved(number, 0, bytes.clone())).collect();
    let page = html::page(&run(events), &names, "numbers");
    let script = "return beryl.model.columns.samples.map((samples) => textOf(beryl.model, samples, 0));";
    let Some(said) = asked("numbers", &page, script) else { return };
    for ((kind, bytes), said) in cases.iter().zip(said.as_array().expect("texts")) {
        let kind = ValueType::try_from((*kind).to_owned()).expect("a type");
        assert_eq!(*said, kind.describe(bytes), "{kind} {bytes:?}");
    }
}

/// The load of all threads and of each, in windows that follow from the pixels: what the page says of some stretches of a run
/// is what the program says, window by window.
#[test]
fn the_page_reckons_load_as_the_program_does() {
    let (names, events) = (workload::names(), workload::events(6000, 5));
    let load = Load::of(&History::of(&events), &names);
    let end = events.last().map_or(0, |event| event.time.ticks());
    let mut random = SplitMix64(5);
    let stretches: Vec<(u64, u64)> = (0..12)
        .map(|_| (random.under(end), 20 + random.under(end)))
        .map(|(from, length)| (from, (from + length).min(end)))
        .filter(|(from, to)| from + 20 < *to)
        .chain([(0, end)])
        .collect();
    let script = format!(
        "const {{ model, curves, drawNow, show, view }} = beryl, told = [];
        curves.choose(model.curves.filter((entry) => entry.isLoad).map(({{ key }}) => key));
        for (const [from, to] of {}) {{
            show(from, to); drawNow();
            const steps = ({{ name, at, values }}) => [name, [...at].map((at, index) => [at, values[index]])];
            told.push([view.from, view.to, curves.every, curves.shown.map((entry) => steps(entry.curves[0]))]);
        }}
        const [own] = curves.shown[0].curves;
        return {{ told, isSame: [...own.at].every((at, index) => own.value(at) === own.values[index]), last: own.value(model.facts.span[1]),
            caption: document.getElementById('caption').textContent.split(' · ').pop() }};",
        json!(stretches)
    );
    let page = html::page(&events, &names, "load");
    let Some(said) = asked("load", &page, &script) else { return };
    let all = said["told"].as_array().expect("stretches");
    assert_eq!(all.len(), stretches.len());
    for ((from, to), said) in stretches.iter().zip(all) {
        assert_eq!((&said[0], &said[1]), (&json!(from), &json!(to)), "what was to be shown");
        let every = Nanoseconds::new(said[2].as_u64().expect("a length"));
        let at = |ticks: &u64| names.tick.logical(Instant::from_ticks(*ticks));
        let steps = |curve: Curve| {
            let step = |step: &beryl_trace::curve::Step| {
                json!([names.tick.instant(step.at).ticks(), step.number.value()])
            };
            json!([curve.name, curve.steps.iter().map(step).collect::<Vec<_>>()])
        };
        let expected: Vec<Value> = load.curves(every, at(from), at(to)).into_iter().map(steps).collect();
        assert_eq!(expected.len(), 13);
        assert_eq!(
            said[3].to_string().replace(".0,", ",").replace(".0]", "]"),
            json!(expected).to_string().replace(".0,", ",").replace(".0]", "]"),
            "{from} to {to}, every {every}"
        );
    }
    assert_eq!((&said["isSame"], &said["caption"]), (&json!(true), &json!("load: of each 2 ms")), "{said}");
    assert!(said["last"].as_f64().is_some_and(|last| last > 0.0), "{said}");
}

/// Values that are called as the load are: it has its longer name beside them, and each has an entry of its own.
#[test]
fn the_page_keeps_load_and_a_value_of_that_name_apart() {
    let named = |name: &str| {
        let rename = |driver: DriverName| match driver.name == "rotor" {
            true => DriverName { name: name.to_owned(), ..driver },
            false => driver,
        };
        let names = names();
        Names { drivers: names.drivers.into_iter().map(rename).collect(), ..names }
    };
    let script = "return [beryl.model.curves.map(({ name, isLoad }) => [name, !!isLoad]), new Set(beryl.model.curves.map(({ key }) => key)).size];";
    for (name, all) in [("load", "load of *"), ("loaded", "load")] {
        let page = html::page(&flight(), &named(name), "load");
        let Some(said) = asked(&format!("named-{name}"), &page, script) else { return };
        let entries = json!([
            ["height", false],
            [name, false],
            ["fly.pose.x", false],
            ["fly.pose.y", false],
            ["fly.ok", false],
            [all, true],
            ["load of navigate", true],
        ]);
        assert_eq!(said, json!([entries, 7]), "{name}");
    }
}
