//! `beryl trace show` in a real terminal: keys go in at one end of it, and what stands on its screen is read
//! at the other.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant as Moment};

use beryl_trace::file::Sealer;
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use crate::common::{beryl, folder};
use crate::{bytes, records, whole, written};

const SIZE: PtySize = PtySize { rows: 12, cols: 90, pixel_width: 0, pixel_height: 0 };

/// A running program and its terminal.
struct Terminal {
    screen: vt100::Parser,
    keys: Box<dyn Write + Send>,
    said: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
}

impl Terminal {
    fn of(arguments: &[&str]) -> Terminal {
        let pair = native_pty_system().openpty(SIZE).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_beryl"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.cwd(folder());
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let (send, said) = channel();
        std::thread::spawn(move || {
            let _terminal = pair; // It lasts as long as somebody reads it.
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { screen: vt100::Parser::new(SIZE.rows, SIZE.cols, 0), keys, said, child }
    }

    fn press(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .and_then(|()| self.keys.flush())
            .expect("the terminal takes keys");
    }

    /// Reads until the screen holds a text. There is no waiting for a time, only a limit for what never comes.
    fn until(&mut self, text: &str) -> String {
        let limit = Moment::now() + Duration::from_secs(60);
        while !self.screen.screen().contents().contains(text) {
            let left = limit.saturating_duration_since(Moment::now());
            match self.said.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(reason) => {
                    panic!("{text:?} doesn't come ({reason}):\n{}", self.screen.screen().contents())
                }
            }
        }
        self.screen.screen().contents()
    }
}

#[test]
fn the_timeline_is_shown_and_obeys_keys() {
    let file = whole("show");
    let mut terminal = Terminal::of(&["trace", "show", &file]);
    let first = terminal.until("q quit");
    let lines: Vec<_> = first.lines().collect();
    assert!(lines[0].starts_with("pair              0 ms to 61.001 ms"), "{first}");
    assert!(lines[3].starts_with(" fast             ██▍"), "{first}");
    terminal.press("+");
    terminal.until("0 ms to 30.5 ms");
    terminal.press("\u{1b}[B"); // the arrow down
    terminal.until("0 ms  slow has a job and not the processor");
    terminal.press("/slow@45ms\r");
    terminal.until("45 ms  slow has the processor from 42 ms to 50 ms");
    terminal.press("\r");
    let why = terminal.until("late: done after 21 ms");
    assert!(why.contains("slow, job 3"), "{why}");
    terminal.press("q"); // closes the panel
    terminal.until("q quit");
    terminal.press("q");
    let status = terminal.child.wait().expect("it ends");
    assert!(status.success(), "{status:?}");
}

#[test]
fn what_is_written_while_one_looks_appears() {
    let records = records();
    let last = records.len() - 1;
    let (mut sealer, mut first) = Sealer::begin();
    first.extend(sealer.seal(&bytes(&records[..22])));
    let file = written("follow", crate::NAMES, &first);
    let mut terminal = Terminal::of(&["trace", "show", &file, "--follow"]);
    terminal.until("0 ms to 32.001 ms, following");
    let mut open = OpenOptions::new().append(true).open(&file).expect("writable");
    // In pieces that end within blocks.
    let rest = [&records[22..last], &records[last..]].map(|records| sealer.seal(&bytes(records))).concat();
    let (one, other) = rest.split_at(rest.len() - 7);
    open.write_all(one).expect("written");
    terminal.until("to 61.001 ms, following");
    open.write_all(other).expect("written");
    terminal.press("q");
    assert!(terminal.child.wait().expect("it ends").success());
}

#[test]
fn without_a_terminal_there_is_a_proposal() {
    let ran = beryl(&["trace", "show", &whole("no_terminal")]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("needs a terminal; `beryl trace ") && ran.err.contains("prints a timeline instead"),
        "{ran:?}"
    );
}
