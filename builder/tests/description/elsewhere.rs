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

#[test]
fn what_nothing_stands_in_for_is_told() {
    for (on, parts) in [
        (
            "",
            &[
                "× nothing on virt stands in for `dualtimer`, a device of mps2-an385",
                "help: add [on.virt] with `devices = { dualtimer = \"rtc\" }`",
                "× line 10 is that of device `dualtimer` on mps2-an385, for which nothing stands in on virt",
            ][..],
        ),
        ("[on.virt]\ndevices = { dualtimer = \"uart0\" }\n", &["× on virt this is line 10, as that of"]),
    ] {
        let said = read(&text(on), Some("virt")).expect_err("a refusal");
        for part in parts {
            assert!(said.contains(part), "{part}\n{said}");
        }
    }
    let other = text(ON_VIRT).replace("line = 10", "line = 7");
    assert!(read(&other, None).is_ok());
    let said = read(&other, Some("virt")).expect_err("a refusal");
    assert!(
        said.contains("× line 7 is that of no device of mps2-an385, so nobody knows which it is on virt"),
        "{said}"
    );
}
