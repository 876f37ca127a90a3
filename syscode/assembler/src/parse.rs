//! The assembler: names and labels first, then the rest, with all that is wrong in one pass.

use std::collections::BTreeMap;

use beryl_syscode::instruction::{Row, TABLE};

use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::directive::{self, DIRECTIVES};
use crate::program::Program;
use crate::suggest::instead;
use crate::token::{Kind, Token, tokens};

/// The state of assembling.
#[derive(Default)]
pub(crate) struct Assembler {
    pub program: Program,
    /// Nanoseconds a tick.
    pub tick: Option<u64>,
    pub labels: BTreeMap<String, usize>,
    diagnostics: Vec<Diagnostic>,
}

/// A line that isn't empty, without its labels.
struct Line {
    number: usize,
    length: usize,
    tokens: Vec<Token>,
}

impl Line {
    fn cursor(&self) -> Cursor<'_> {
        Cursor::new(&self.tokens, self.number, self.length)
    }

    /// The directive that it begins with.
    fn directive(&self) -> Option<&'static str> {
        match self.tokens.first().map(|token| &token.kind) {
            Some(Kind::Word(word)) => DIRECTIVES.into_iter().find(|name| name == word),
            _ => None,
        }
    }

    /// Whether it becomes a word of code.
    fn is_code(&self) -> bool {
        self.directive().is_none_or(|name| name == "word")
    }
}

/// Nanoseconds of a tick in a text, if it says so. A program doesn't keep them.
#[must_use]
pub fn tick(text: &str) -> Option<u64> {
    let mut assembler = Assembler::default();
    let lines = assembler.lines(text);
    let mut said = lines.iter().filter(|line| line.directive() == Some("tick"));
    said.try_for_each(|line| directive::declare(&mut assembler, "tick", &mut line.cursor())).ok()?;
    assembler.tick
}

/// Makes a program of a text.
///
/// # Errors
/// All that is wrong with it, in the order of the lines.
pub fn assemble(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut assembler = Assembler::default();
    assembler.program.trigger_places = 1;
    let lines = assembler.lines(text);
    for line in &lines {
        if let Some(name) = line.directive() {
            let answer = directive::declare(&mut assembler, name, &mut line.cursor());
            assembler.note(answer);
        }
    }
    let mut address = 0;
    for line in &lines {
        let mut cursor = line.cursor();
        let answer = match line.directive() {
            Some(name) if !line.is_code() => directive::place(&mut assembler, name, &mut cursor).map(|()| 0),
            Some(_) => directive::word(&mut cursor),
            None => assembler.instruction(&mut cursor, address),
        };
        let word = assembler.note(answer);
        if line.is_code() {
            assembler.program.code.push(word.unwrap_or_default());
            address += 1;
        }
    }
    assembler.finish()
}

impl Assembler {
    /// Keeps what is wrong and goes on.
    fn note<T>(&mut self, answer: Result<T, Diagnostic>) -> Option<T> {
        answer.map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }

    /// The lines as tokens; labels are noted with the address of the code that follows.
    fn lines(&mut self, text: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut address = 0;
        for (index, text) in text.lines().enumerate() {
            let number = index + 1;
            let answer = tokens(number, text);
            let Some(mut tokens) = self.note(answer) else { continue };
            while matches!(
                tokens.get(..2),
                Some([Token { kind: Kind::Word(_), .. }, Token { kind: Kind::Sign(":"), .. }])
            ) {
                let label = tokens.remove(0);
                tokens.remove(0);
                self.label(label, address);
            }
            if tokens.is_empty() {
                continue;
            }
            let line = Line { number, length: text.chars().count(), tokens };
            address += usize::from(line.is_code());
            lines.push(line);
        }
        lines
    }

    fn label(&mut self, token: Token, address: usize) {
        let Kind::Word(name) = token.kind else { return };
        if self.labels.contains_key(&name) {
            let wrong = token.spot.wrong(format!("there is a label `{name}` already"), "choose another name");
            self.diagnostics.push(wrong);
            return;
        }
        self.labels.insert(name, address);
    }

    fn instruction(&mut self, cursor: &mut Cursor<'_>, address: usize) -> Result<u32, Diagnostic> {
        let spot = cursor.spot();
        let mnemonic = cursor.name("instruction")?;
        let rows: Vec<&Row> = TABLE.iter().filter(|row| row.mnemonic == mnemonic).collect();
        let Some(longest) = rows.iter().map(|row| row.operands.len()).max() else {
            let names = TABLE.iter().map(|row| row.mnemonic).chain(DIRECTIVES);
            let proposal = instead(mnemonic, names, "see docs/reference/system-code.md for what there is");
            return Err(spot.wrong(format!("there is no instruction `{mnemonic}`"), proposal));
        };
        // Of two instructions with one mnemonic, the longer begins with the shorter's operands in the same places.
        let row_of = |count: usize| rows.iter().find(|row| row.operands.len() == count);
        let longest_row = row_of(longest).map_or([].as_slice(), |row| row.operands);
        let mut word = 0;
        let mut count = 0;
        for (operand, place) in longest_row {
            if count > 0 && cursor.is_at_end() && row_of(count).is_some() {
                break;
            }
            if count > 0 {
                cursor.expect(",")?;
            }
            word |= self.operand(cursor, *operand, *place, address)?;
            count += 1;
        }
        cursor.finish()?;
        Ok(word | row_of(count).map_or(0, |row| u32::from(row.opcode)))
    }

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        let program = &self.program;
        let counts = [
            ("durations", program.durations.len(), 255),
            ("conditions", program.conditions.len(), 255),
            ("tasks", program.tasks.len(), 255),
            ("completion entries", program.completions.len(), 255),
            ("handlers", program.handlers.len(), 255),
            ("numbers in the certificate", program.certificate.len(), 65535),
            ("drivers", program.drivers.len(), 65535),
            ("ports", program.ports.len(), 65535),
            ("instructions", program.code.len(), 65535),
        ];
        let too_many = counts.into_iter().filter(|(_, count, most)| count > most);
        self.diagnostics.extend(too_many.map(|(what, count, most)| {
            let spot = crate::diagnostic::Spot { line: 1, column: 1 };
            spot.wrong(format!("there are {count} {what}"), format!("a program has at most {most}"))
        }));
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        if self.diagnostics.is_empty() { Ok(self.program) } else { Err(self.diagnostics) }
    }
}
