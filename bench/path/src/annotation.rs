//! The annotated loops of a source file: `// bound: <number or NAME>` and `// step boundary`.

use std::collections::BTreeMap;

use crate::source::{Line, lines};

/// How far above its loop an annotation may stand, in lines.
const REACH: usize = 3;

/// What a source says about a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Its body starts at most this often: a number, a name, or a sum of products of them.
    Bound(String),
    /// Going round is a step boundary.
    Boundary,
    /// Nothing.
    None,
}

/// The lines of a loop, or of an annotated statement that becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its first line, from 1.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// From this line on, code belongs to its body and not to its test.
    pub body: u32,
    /// Whether an iterator drives it.
    pub is_for: bool,
    /// What the source says about it.
    pub mark: Mark,
}

impl Region {
    /// Whether a line belongs to it.
    pub fn contains(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }

    /// Whether it has no test of its own: `loop`.
    pub fn is_all_body(&self) -> bool {
        self.body <= self.first
    }
}

/// The loops and annotated statements in `text`, outer ones before inner ones.
pub fn regions(text: &str) -> Vec<Region> {
    let lines = lines(text);
    let characters = flatten(&lines);
    let mut marks = marks(&lines);
    let mut regions = loops(&characters);
    for region in &mut regions {
        region.mark = marks.remove(&region.first).unwrap_or(Mark::None);
    }
    for (first, mark) in marks {
        regions.push(Region {
            first,
            last: end_of_statement(&characters, first),
            body: u32::MAX,
            is_for: false,
            mark,
        });
    }
    regions.sort_by_key(|region| (region.first, std::cmp::Reverse(region.last)));
    regions
}

/// A character of code and its line.
type Place = (char, u32);

fn flatten(lines: &[Line]) -> Vec<Place> {
    let numbered = lines.iter().zip(1..);
    numbered
        .flat_map(|(line, number)| line.code.chars().chain(['\n']).map(move |one| (one, number)))
        .collect()
}

/// Each annotation by the line of the code that it stands on or above.
fn marks(lines: &[Line]) -> BTreeMap<u32, Mark> {
    let mut marks = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(mark) = mark(&line.comment) else { continue };
        let below = lines.iter().zip(1..).skip(index).take(REACH + 1);
        let target = below.filter(|(line, _)| line.has_code()).map(|(_, number)| number).next();
        if let Some(target) = target {
            marks.insert(target, mark);
        }
    }
    marks
}

impl Line {
    /// Whether something is carried out here; attributes and loop labels on a line of their own are passed
    /// over.
    fn has_code(&self) -> bool {
        let code = self.code.trim();
        let is_label = code.starts_with('\'') && code.ends_with(':');
        !code.is_empty() && !code.starts_with("#[") && !is_label
    }
}

fn mark(comment: &str) -> Option<Mark> {
    let text = comment.trim_start();
    if text.starts_with("step boundary") {
        return Some(Mark::Boundary);
    }
    let expression = text.strip_prefix("bound:")?;
    Some(Mark::Bound(expression.trim().to_owned()))
}

/// All loops, not yet marked.
fn loops(characters: &[Place]) -> Vec<Region> {
    let mut loops = Vec::new();
    for (start, word) in words(characters) {
        let open = match word.as_str() {
            "loop" | "while" => body(characters, start),
            "for" => body(characters, start).filter(|body| has_in(&characters[start..*body])),
            _ => None,
        };
        let Some(open) = open else { continue };
        let first = characters[start].1;
        // What shares a line with the test might be the test.
        let body = if word == "loop" { first } else { characters[open].1.saturating_add(1) };
        loops.push(Region {
            first,
            last: end_of_block(characters, open),
            body,
            is_for: word == "for",
            mark: Mark::None,
        });
    }
    loops
}

/// The words of the code and where they start.
fn words(characters: &[Place]) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (index, (character, _)) in characters.iter().enumerate() {
        let is_word = character.is_alphanumeric() || *character == '_';
        match words.last_mut().filter(|_| inside) {
            Some((_, word)) if is_word => word.push(*character),
            _ if is_word => words.push((index, character.to_string())),
            _ => {}
        }
        inside = is_word;
    }
    words
}

/// `for` belongs to a loop only with `in`; otherwise to `impl .. for ..` or `for<'a>`.
fn has_in(head: &[Place]) -> bool {
    words(head).iter().any(|(_, word)| word == "in")
}

/// The brace that opens the body of the loop whose keyword is at `start`.
fn body(characters: &[Place], start: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, (character, _)) in characters.iter().enumerate().skip(start) {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            '{' if depth == 0 => return Some(index),
            ';' | '}' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The line of the brace that closes the one at `open`, or of the end of the text.
fn end_of_block(characters: &[Place], open: usize) -> u32 {
    let mut depth = 0_u32;
    for (character, line) in &characters[open..] {
        match character {
            '{' => depth += 1,
            '}' if depth <= 1 => return *line,
            '}' => depth -= 1,
            _ => {}
        }
    }
    characters.last().map_or(0, |(_, line)| *line)
}

/// The line on which the statement that begins on line `first` ends.
fn end_of_statement(characters: &[Place], first: u32) -> u32 {
    let mut depth = 0_u32;
    let mut last = first;
    for (character, line) in characters.iter().filter(|(_, line)| *line >= first) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return last,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => return *line,
            _ => {}
        }
        if !character.is_whitespace() {
            last = *line;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u32, u32, Mark)> {
        regions(text).into_iter().map(|region| (region.first, region.last, region.mark)).collect()
    }

    fn bound(text: &str) -> Mark {
        Mark::Bound(text.to_owned())
    }

    #[test]
    fn annotations_stand_on_or_above_the_loop() {
        let text = "\
// bound: LEVELS
// (one for each level)
'outer: for level in levels {
    for i in 0..8 { // bound: 8
        touch(\"}\");
    }
    while more() {}
}
loop { // step boundary
}";
        assert_eq!(
            found(text),
            [(3, 8, bound("LEVELS")), (4, 6, bound("8")), (7, 7, Mark::None), (9, 10, Mark::Boundary)]
        );
    }

    #[test]
    fn an_annotation_belongs_to_the_next_code_only() {
        let text = "\
fn f() {
    // bound: THREADS
    let found = threads
        .iter()
        .position(|thread| { thread.ready });
    for i in 0..8 {
    }
}";
        assert_eq!(found(text), [(3, 5, bound("THREADS")), (6, 7, Mark::None)]);
    }

    #[test]
    fn not_every_for_is_a_loop() {
        assert_eq!(found("impl A for B {\n}\nfn f<F>(f: F) where F: for<'a> Fn(&'a u8) {\n}"), []);
        assert_eq!(found("while a.iter().any(|x| { x }) {\n\n}"), [(1, 3, Mark::None)]);
    }
}
