//! Descriptions on other boards than the one that they name: what stands in for what.

use beryl_builder::board::Board;
use beryl_builder::description::Description;

use super::rendered;

/// A system with a timer that interrupts and a console, `on` behind its board.
fn text(on: &str) -> String {
    format!(
        "[system]\nname = \"s\"\napplication = \"app\"\n[board]\nname = \"mps2-an385\"\nflash = \"64k\"\nram = \"24k\"\n\
         speed = 5\n{on}\n[process.p]\nmemory = \"64\"\ndevices = [\"dualtimer\", \"uart0\"]\n[[band]]\nname = \"b\"\n\
         policy = \"fixed\"\n[thread.bell]\nprocess = \"p\"\nband = \"b\"\npriority = 2\nentry = \"bell\"\nstack = \"512\"\n\
         uses = [\"ring\"]\n[thread.sender]\nprocess = \"p\"\nband = \"b\"\npriority = 1\nentry = \"sender\"\n\
         stack = \"512\"\nuses = [\"sent\"]\n[interrupt.ring]\nline = 10\n[interrupt.sent]\nline = 1\n"
    )
}

fn read(text: &str, board: Option<&str>) -> Result<Description, String> {
    let board = board.map(|name| Board::named(name).expect("a board"));
    Description::parse_for("beryl.toml", text, board).map_err(|said| rendered(&said))
}

/// The devices, the interrupts with their lines, and flash, RAM and speed.
type Found = (Vec<&'static str>, Vec<(String, u16)>, [u32; 3]);

fn found(text: &str, board: Option<&str>) -> Found {
    let read = read(text, board).unwrap_or_else(|said| panic!("{said}"));
    let devices = read.processes.iter().flat_map(|process| &process.devices);
    let interrupts = read.objects.interrupts.iter();
    (
        devices.map(|device| device.value.name).collect(),
        interrupts.map(|row| (row.name.value.clone(), row.line.value)).collect(),
        [read.board.flash.value.get(), read.board.ram.value.get(), u32::from(read.board.speed)],
    )
}

const ON_VIRT: &str = "[on.virt]\nspeed = 4\nram = \"32k\"\ndevices = { dualtimer = \"rtc\" }\n";

#[test]
fn devices_and_lines_are_those_that_stand_in() {
    let own = |name: &str, line| (name.to_owned(), line);
    let expected = (vec!["dualtimer", "uart0"], vec![own("sent", 1), own("ring", 10)], [65536, 24576, 5]);
    assert_eq!(found(&text(ON_VIRT), None), expected);
    // A board of the same family has the same devices, and nothing has to be said.
    assert_eq!(found(&text(""), Some("mps2-an386")), expected);
    let on_virt = (vec!["rtc", "uart0"], vec![own("sent", 10), own("ring", 11)], [65536, 32768, 4]);
    assert_eq!(found(&text(ON_VIRT), Some("virt")), on_virt);
}

#[test]
fn an_environment_hears_of_each_line_what_stands_in_for_it() {
    let lines = |on: &str, board| read(&text(on), board).expect("a description").lines;
    assert_eq!(lines(ON_VIRT, None), []);
    assert_eq!(lines(ON_VIRT, Some("virt")), [(0, 10), (1, 10), (10, 11)]);
}

/// Of two interrupts that come to one line, one is silent: it has a line to which nothing is wired.
#[test]
fn an_interrupt_is_silent_where_its_device_has_one_line_less() {
    let both = text(ON_VIRT).replace("[interrupt.sent]", "[interrupt.heard]\nline = 0\n[interrupt.sent]");
    let both = both.replace("uses = [\"sent\"]", "uses = [\"heard\", \"sent\"]");
    let said = read(&both, Some("virt")).expect_err("a refusal");
    for part in
        ["× on virt this is line 10, as that of interrupt `heard`", "`silent = [\"sent\"]` in [on.virt]"]
    {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let silent = both.replace("[on.virt]\n", "[on.virt]\nsilent = [\"sent\"]\n");
    let lines = |board: Option<&str>| {
        let read = read(&silent, board).unwrap_or_else(|said| panic!("{said}"));
        let rows = read.objects.interrupts.iter();
        let rows =
            rows.map(|row| (row.name.value.clone(), row.line.value, row.is_silent)).collect::<Vec<_>>();
        (rows, read.console)
    };
    let row = |name: &str, line, is_silent| (name.to_owned(), line, is_silent);
    let own = vec![row("heard", 0, false), row("sent", 1, false), row("ring", 10, false)];
    assert_eq!(lines(None), (own, [Some(0), Some(1)]));
    let on_virt = vec![row("heard", 10, false), row("ring", 11, false), row("sent", 31, true)];
    assert_eq!(lines(Some("virt")), (on_virt, [Some(10), None]));
    // There is no such interrupt, whichever board is meant.
    let unknown = silent.replace("silent = [\"sent\"]", "silent = [\"send\"]");
    for board in [None, Some("virt")] {
        let said = read(&unknown, board).expect_err("a refusal");
        let part = "did you mean `sent`? The known ones: `heard`, `sent`, `ring`";
        assert!(said.contains("× there is no interrupt `send`") && said.contains(part), "{said}");
    }
}

/// The console's lines on that board are beyond the 32 that most kernels have a table for.
#[test]
fn lines_stand_in_whatever_their_number() {
    let on = "[on.mps2-an505]\ndevices = { dualtimer = \"timers\" }\n";
    let (_, lines, _) = found(&text(on), Some("mps2-an505"));
    assert_eq!(lines, [("ring".to_owned(), 5), ("sent".to_owned(), 33)]);
}

#[test]
fn what_nothing_stands_in_for_is_told() {
    for (on, parts) in [
        (
            "",
            &[
                "× nothing on virt stands in for `dualtimer`, a device of mps2-an385",
                "help: add [on.virt] with `devices = { dualtimer = \"rtc\" }`",
            ][..],
        ),
        ("[on.virt]\ndevices = { dualtimer = \"uart0\" }\n", &["× on virt this is line 10, as that of"]),
    ] {
        let said = read(&text(on), Some("virt")).expect_err("a refusal");
        for part in parts {
            assert!(said.contains(part), "{part}\n{said}");
        }
        assert!(!on.is_empty() || said.matches('×').count() == 1, "it is told once: {said}");
    }
    // A line whose device nobody has is told by itself.
    let without = text("").replace("\"dualtimer\", ", "");
    let said = read(&without, Some("virt")).expect_err("a refusal");
    let line = "× line 10 is that of device `dualtimer` on mps2-an385, for which nothing stands in on virt";
    assert!(said.contains(line) && said.matches('×').count() == 1, "{said}");
    // The description speaks of its own board, so what that hasn't is unknown, whatever another one has.
    let foreign = text(ON_VIRT).replace("[\"dualtimer\"", "[\"rtc\"");
    for board in [None, Some("virt")] {
        let said = read(&foreign, board).expect_err("a refusal");
        let known = "the known ones: `environment`, `uart0`, `timer0`, `dualtimer`";
        assert!(said.contains("× there is no device `rtc`") && said.contains(known), "{said}");
    }
    let other = text(ON_VIRT).replace("line = 10", "line = 7");
    assert!(read(&other, None).is_ok());
    let said = read(&other, Some("virt")).expect_err("a refusal");
    assert!(
        said.contains("× line 7 is that of no device of mps2-an385, so nobody knows which it is on virt"),
        "{said}"
    );
}
