//! `[on.BOARD]`: what differs where the system is built for another board than the one that it names.
//!
//! A description names devices and interrupt lines of its own board. On another one, devices of the same name stand in for
//! them, and others where the description says so; a line is the one of its device's stand-in.

use super::apart;
use super::diagnostic::{Problem, Reporter};
use super::section::{Entry, Section};
use super::value::{Text, UpTo};
use super::{Interrupt, Placed, code};
use crate::board::{BOARDS, Board, Device};
use crate::quantity::Bytes;

/// The keys of a board's table.
const ON: &[&str] = &["flash", "ram", "speed", apart::KEY, "devices", "silent"];

/// What stands in for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StandIns {
    /// The board that the description names.
    named: &'static Board,
    /// The board that the system is for.
    board: &'static Board,
    /// Devices of the first, each with the one of the second, where their names differ.
    devices: Vec<(String, String)>,
    /// Devices of the first that a process has, and for which there is none. That has been reported.
    missing: Vec<String>,
    /// Interrupts that never come on the board.
    silent: Vec<Placed<String>>,
    /// Those that never come on other boards, whose tables are read all the same.
    silent_elsewhere: Vec<Placed<String>>,
    /// The lines of the first that the silent ones would have.
    silenced: Vec<u16>,
}

/// What a board's table says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct On {
    pub(super) flash: Option<Placed<Bytes>>,
    pub(super) ram: Option<Placed<Bytes>>,
    pub(super) speed: Option<u8>,
    /// The board with the kernel on another core, if it is there.
    pub(super) apart: Option<&'static Board>,
    devices: Vec<(String, String)>,
    silent: Vec<Placed<String>>,
}

/// The tables of all boards, of which the one of `board` is answered.
pub(super) fn on(
    file: &Section<'_>,
    named: Placed<&'static Board>,
    board: &'static Board,
    reporter: &mut Reporter,
) -> (On, StandIns) {
    let (mut own, mut silent_elsewhere) = (On::default(), Vec::new());
    for entry in file.entries("on", reporter) {
        let Some(other) = other_board(&entry, named, reporter) else { continue };
        let said = said(&entry, named.value, other, reporter);
        match said {
            Some(said) if other == board => own = said,
            Some(said) => silent_elsewhere.extend(said.silent),
            None => {}
        }
    }
    let stand_ins = StandIns {
        named: named.value,
        board,
        devices: own.devices.clone(),
        missing: Vec::new(),
        silent: own.silent.clone(),
        silent_elsewhere,
        silenced: Vec::new(),
    };
    (own, stand_ins)
}

/// The board whose table this is; it isn't the one that the description names.
fn other_board(
    entry: &Entry<'_>,
    named: Placed<&'static Board>,
    reporter: &mut Reporter,
) -> Option<&'static Board> {
    let Some(board) = Board::named(&entry.name) else {
        let boards: Vec<&str> = BOARDS.iter().map(|board| board.name).collect();
        reporter.unknown("board", &entry.name, &boards);
        return None;
    };
    if board == named.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: entry.name.place,
            message: format!("{} is the system's own board", board.name),
            label: "not another one".to_owned(),
            help: "write what is meant for it into [board]; [on.BOARD] is for others, which `--board` names"
                .into(),
        };
        reporter.report_with(problem, named.place, "own");
        return None;
    }
    Some(board)
}

fn said(
    entry: &Entry<'_>,
    named: &'static Board,
    other: &'static Board,
    reporter: &mut Reporter,
) -> Option<On> {
    let section = entry.open_as(format!("[on.{}]", other.name), ON, reporter)?;
    let mut devices: Vec<(String, Placed<String>)> = Vec::new();
    for (from, Placed { value: Text(to), place }) in section.named::<Text>("devices", reporter) {
        let to = Placed::new(to, place);
        let is_known = reporter.device(from.clone(), named).is_some();
        if !is_known || reporter.device(to.clone(), other).is_none() {
            continue;
        }
        match devices.iter().find(|(_, taken)| taken.value == to.value) {
            None => devices.push((from.value, to)),
            Some((first, taken)) => {
                let problem = Problem {
                    code: code::CONFLICT,
                    place: to.place,
                    message: format!("`{}` stands in for `{first}` and for `{}`", to.value, from.value),
                    label: "second".to_owned(),
                    help: "leave one of them: two devices can't be one".into(),
                };
                reporter.report_with(problem, taken.place, "first");
            }
        }
    }
    let silent = section.values::<Text>("silent", reporter).into_iter();
    Some(On {
        silent: silent.map(|Placed { value: Text(name), place }| Placed::new(name, place)).collect(),
        flash: section.optional("flash", reporter),
        ram: section.optional("ram", reporter),
        speed: section.optional::<UpTo<10>>("speed", reporter).map(|speed| speed.value.0),
        apart: apart::board(&section, other, reporter),
        devices: devices.into_iter().map(|(from, to)| (from, to.value)).collect(),
    })
}

impl StandIns {
    /// Whether this is another board than the one that the description names.
    fn is_elsewhere(&self) -> bool {
        self.board != self.named
    }

    /// What a device that the description names is on the board.
    pub(super) fn device(&mut self, name: Placed<String>, reporter: &mut Reporter) -> Option<Placed<Device>> {
        reporter.device(name.clone(), self.named)?;
        let found = self.board.device(self.name_of(&name.value));
        if found.is_none() {
            let [named, board, name_of] = [self.named.name, self.board.name, name.value.as_str()];
            reporter.report(Problem {
                code: code::UNKNOWN_NAME,
                place: name.place,
                message: format!("nothing on {board} stands in for `{name_of}`, a device of {named}"),
                label: "of another board".to_owned(),
                help: format!("add [on.{board}] with `devices = {{ {name_of} = {} }}`", self.choices())
                    .into(),
            });
            self.missing.push(name.value);
        }
        Some(Placed::new(*found?, name.place))
    }

    /// The name on the board of a device that the description names.
    fn name_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.devices.iter().find(|(from, _)| from == name).map_or(name, |(_, to)| to)
    }

    /// The board's devices that no other device of the description's board has the name of.
    fn choices(&self) -> String {
        let own = self.board.devices.iter().map(|device| device.name);
        let free: Vec<_> = own.filter(|name| self.named.device(name).is_none()).collect();
        match free.as_slice() {
            [] => "\"...\"".to_owned(),
            names => names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or "),
        }
    }

    /// Each line of the named board's devices, with the one that stands in for it: the same of the device's stand-in, or its
    /// last where that has fewer.
    pub(super) fn lines(&self) -> Vec<(u16, u16)> {
        let mut lines = Vec::new();
        for (device, from) in self.named.device_lines.iter().filter(|_| self.is_elsewhere()) {
            let to = self.board.device_lines.iter().find(|(name, _)| *name == self.name_of(device));
            let Some((_, to)) = to else { continue };
            let pairs = from
                .iter()
                .enumerate()
                .filter_map(|(place, line)| Some((*line, *to.get(place).or(to.last())?)));
            lines.extend(pairs);
        }
        lines
    }

    /// Replaces the line of each interrupt by the one that stands in for it.
    pub(super) fn replace(&mut self, interrupts: &mut [Interrupt], reporter: &mut Reporter) {
        let known: Vec<_> = interrupts.iter().map(|interrupt| interrupt.name.value.clone()).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        for name in self.silent.iter().chain(&self.silent_elsewhere) {
            if !known.contains(&name.value.as_str()) {
                reporter.unknown("interrupt", name, &known);
            }
        }
        if !self.is_elsewhere() {
            return;
        }
        let lines = self.lines();
        let mut free = self.free_lines();
        for interrupt in &mut *interrupts {
            let line = &mut interrupt.line;
            if self.silent.iter().any(|name| name.value == interrupt.name.value) {
                self.silenced.push(line.value);
                interrupt.is_silent = true;
                // Where there is no line left, the next one is out of range, and refused for that.
                line.value = free.next().unwrap_or(self.board.lines);
                continue;
            }
            match lines.iter().find(|(from, _)| *from == line.value) {
                Some((_, to)) => line.value = *to,
                None if self.is_missing(line.value) => {}
                None => reporter.report(self.without_stand_in(*line)),
            }
        }
        interrupts.sort_by_key(|interrupt| interrupt.line.value);
    }

    /// Lines of the board to which nothing is wired that could be given to a process, the last first: for interrupts that
    /// never come.
    fn free_lines(&self) -> impl Iterator<Item = u16> + use<> {
        let board = self.board;
        let is_used = move |line: &u16| {
            board.kernel_lines.contains(line)
                || board.device_lines.iter().any(|(_, lines)| lines.contains(line))
        };
        (0..board.lines).rev().filter(move |line| !is_used(line))
    }

    /// The lines of the board's console: the one that says that a byte has come, and the one that says that a byte was
    /// sent; none for what is silent.
    pub(super) fn console(&self) -> [Option<u16>; 2] {
        let [named, own] = [self.named, self.board].map(|board| board.lines_of(board.console));
        let comes = |line: Option<&u16>| line.is_none_or(|line| !self.silenced.contains(line));
        [
            own.first().copied().filter(|_| comes(named.first())),
            own.last().copied().filter(|_| comes(named.last())),
        ]
    }

    /// Whether it has been reported that nothing stands in for the device of a line.
    fn is_missing(&self, line: u16) -> bool {
        let device = self.named.device_lines.iter().find(|(_, lines)| lines.contains(&line));
        device.is_some_and(|(device, _)| self.missing.iter().any(|missing| missing == device))
    }

    fn without_stand_in(&self, line: Placed<u16>) -> Problem {
        let (named, board) = (self.named.name, self.board.name);
        let device = self.named.device_lines.iter().find(|(_, lines)| lines.contains(&line.value));
        let (what, help) = match device {
            Some((device, _)) => (
                format!(
                    "line {} is that of device `{device}` on {named}, for which nothing stands in on {board}",
                    line.value
                ),
                format!("add [on.{board}] with `devices = {{ {device} = {} }}`", self.choices()),
            ),
            None => (
                format!(
                    "line {} is that of no device of {named}, so nobody knows which it is on {board}",
                    line.value
                ),
                "write the line of a device".to_owned(),
            ),
        };
        Problem {
            code: code::UNKNOWN_NAME,
            place: line.place,
            message: what,
            label: "of another board".to_owned(),
            help: help.into(),
        }
    }
}
