//! A line of text as tokens.

use crate::diagnostic::{Diagnostic, Spot};

/// A token's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name as it is: letters, digits, `_` and `.`.
    Word(String),
    /// A name in quotation marks.
    Quoted(String),
    /// A number, perhaps with the nanoseconds of its unit.
    Number(i64, Option<u64>),
    /// A sign.
    Sign(&'static str),
}

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub spot: Spot,
}

/// Longer signs stand before those that they begin with.
const SIGNS: [&str; 12] = ["<=", "==", "!=", ">=", "<", ">", ",", ":", "(", ")", "@", "#"];
const UNITS: [(&str, u64); 4] = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];

/// The tokens of a line, without its comment.
pub(crate) fn tokens(line: usize, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { line, text, rest: text };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    line: usize,
    text: &'a str,
    rest: &'a str,
}

impl Lexer<'_> {
    fn spot(&self) -> Spot {
        let before = self.text.len() - self.rest.len();
        let column = 1 + self.text.get(..before).map_or(0, |text| text.chars().count());
        Spot { line: self.line, column }
    }

    fn next(&mut self) -> Result<Option<Token>, Diagnostic> {
        self.rest = self.rest.trim_start();
        let spot = self.spot();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let kind = match first {
            ';' => return Ok(None),
            '"' => Kind::Quoted(self.quoted(spot)?),
            '0'..='9' | '-' => self.number(spot)?,
            first if is_letter(first) => Kind::Word(self.take(is_letter).to_owned()),
            _ => self.sign(spot)?,
        };
        Ok(Some(Token { kind, spot }))
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn sign(&mut self, spot: Spot) -> Result<Kind, Diagnostic> {
        for sign in SIGNS {
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                return Ok(Kind::Sign(sign));
            }
        }
        let character = self.rest.chars().next().unwrap_or_default();
        let proposal = "names with such characters stand in quotation marks, comments behind `;`";
        Err(spot.wrong(format!("`{character}` means nothing here"), proposal))
    }

    /// Digits, hexadecimal after `0x`; a unit may follow at once.
    fn number(&mut self, spot: Spot) -> Result<Kind, Diagnostic> {
        let is_negative = self.rest.starts_with('-');
        if is_negative {
            self.take(|character| character == '-');
        }
        let text = self.take(|character| character.is_ascii_alphanumeric()).to_owned();
        let wrong = || {
            let reason = format!("`{text}` is no number");
            spot.wrong(reason, "write digits, hexadecimal ones behind `0x`, or a time such as `10ms`")
        };
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok().map(|value| (value, None)),
            None => {
                let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
                let (digits, unit) = text.split_at(end);
                let nanoseconds = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, length)| *length);
                let is_known = unit.is_empty() || nanoseconds.is_some();
                digits.parse().ok().filter(|_| is_known).map(|value: i64| (value, nanoseconds))
            }
        };
        let (value, unit) = parsed.ok_or_else(wrong)?;
        Ok(Kind::Number(if is_negative { -value } else { value }, unit))
    }

    fn quoted(&mut self, spot: Spot) -> Result<String, Diagnostic> {
        let mut name = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = self.rest.get(offset + 1..).unwrap_or_default();
                    return Ok(name);
                }
                '\\' => {
                    let escaped = characters.next().map(|(_, character)| character);
                    name.push(unescaped(escaped, &mut characters).ok_or_else(|| {
                        let proposal = "known are `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\u{41}`";
                        spot.wrong("the name has an unknown character behind a backslash", proposal)
                    })?);
                }
                other => name.push(other),
            }
        }
        Err(spot.wrong("the name doesn't end", "close it with a quotation mark on the same line"))
    }
}

fn unescaped(first: Option<char>, rest: &mut impl Iterator<Item = (usize, char)>) -> Option<char> {
    match first? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        same @ ('"' | '\\') => Some(same),
        'u' => {
            rest.next().filter(|(_, character)| *character == '{')?;
            let digits: String =
                rest.map(|(_, character)| character).take_while(|character| *character != '}').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
        }
        _ => None,
    }
}

pub(crate) fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.')
}
