//! Literals, arithmetic with them, arrays of them, and names with dots.

use super::cursor::{Cursor, Parsed, Refused};
use crate::diagnostic::{Problem, code};
use crate::model::{Record, Type};
use crate::place::Place;
use crate::ratio::Ratio;
use crate::syntax::{Expression, Form, Literal, Operator};
use crate::token::Token;

/// Parentheses within each other: more than anybody reads.
pub(super) const MOST_PARENTHESES: usize = 16;

impl Cursor<'_> {
    /// A value: a literal, a name, or a list of values (an array or a record).
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(0)
    }

    /// The deepest nesting is an array of records that contain arrays of records, and so on, down to an array
    /// of a basic type.
    fn nested(&mut self, depth: usize) -> Parsed<Expression> {
        const DEEPEST: usize = 2 * Record::MOST_DEPTH as usize + 1;
        match self.peek() {
            Token::OpenBrace if depth == DEEPEST => self.too_deep(),
            Token::OpenBrace => self.list(depth + 1),
            _ => self.reckoned(),
        }
    }

    fn list(&mut self, depth: usize) -> Parsed<Expression> {
        let open = self.take().place;
        let mut elements = Vec::new();
        loop {
            elements.push(self.nested(depth)?);
            if elements.len() > Type::MOST_ELEMENTS as usize {
                return self.endless_array(open);
            }
            if self.accept(Token::Comma).is_none() {
                break;
            }
        }
        let close = self.expect(Token::CloseBrace, "`,` or `}`")?;
        Ok(Expression { form: Form::List(elements), place: open.to(close.place) })
    }

    fn endless_array<T>(&mut self, open: Place) -> Parsed<T> {
        self.refuse(Problem {
            code: code::ARRAY_LENGTH,
            place: open,
            message: format!(
                "this array has more than {} elements, the most that an array can have",
                Type::MOST_ELEMENTS
            ),
            label: "the array begins here".to_owned(),
            help: "split it over several ports".into(),
        })
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let place = self.here();
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: format!(
                "no value has so many lists within each other: structs nest {} deep at most",
                Record::MOST_DEPTH
            ),
            label: "one list too deep".to_owned(),
            help: "write a list for each array and each struct of the type, and no other".into(),
        })
    }

    pub(super) fn array_of_arrays<T>(&mut self) -> Parsed<T> {
        let place = self.here();
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: "an array has one dimension: its elements are of a basic type or records".to_owned(),
            label: "a second dimension".to_owned(),
            help: "lay the rows one behind the other: `float[6]` holds a 2 by 3 matrix".into(),
        })
    }

    /// One value, perhaps the result of arithmetic.
    pub(super) fn reckoned(&mut self) -> Parsed<Expression> {
        self.sum(0)
    }

    fn sum(&mut self, depth: usize) -> Parsed<Expression> {
        let operators = [(Token::Plus, Operator::Plus), (Token::Minus, Operator::Minus)];
        self.chain(&operators, |cursor| cursor.product(depth))
    }

    fn product(&mut self, depth: usize) -> Parsed<Expression> {
        let operators = [(Token::Times, Operator::Times), (Token::Over, Operator::Over)];
        self.chain(&operators, |cursor| cursor.operand(depth))
    }

    /// Operands with operators of one rank in between; a list, so that a long one is no deep tree.
    fn chain(
        &mut self,
        operators: &[(Token, Operator)],
        operand: impl Fn(&mut Self) -> Parsed<Expression>,
    ) -> Parsed<Expression> {
        let first = operand(self)?;
        let start = first.place;
        let mut rest = Vec::new();
        while let Some((_, operator)) = operators.iter().find(|(token, _)| *token == self.peek()) {
            self.take();
            rest.push((*operator, operand(self)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expression { form: Form::Reckoned(Box::new(first), rest), place: start.to(self.last()) })
    }

    /// A literal or a name, or arithmetic in parentheses, perhaps with a sign.
    fn operand(&mut self, depth: usize) -> Parsed<Expression> {
        let start = self.here();
        let negative = self.peek() == Token::Minus && self.peek_at(1) != Token::Number;
        if negative {
            self.take();
        }
        let operand = match self.peek() {
            Token::Minus if negative => return self.unexpected("a value after `-`"),
            Token::OpenParenthesis if depth == MOST_PARENTHESES => return self.too_many_parentheses(),
            Token::OpenParenthesis => {
                self.take();
                let mut inner = self.sum(depth + 1)?;
                let close = self.expect(Token::CloseParenthesis, "`)` or an operator")?;
                inner.place = start.to(close.place);
                inner
            }
            _ => self.plain()?,
        };
        Ok(match negative {
            false => operand,
            true => Expression { place: start.to(operand.place), form: Form::Negative(Box::new(operand)) },
        })
    }

    pub(super) fn too_many_parentheses<T>(&mut self) -> Parsed<T> {
        let place = self.here();
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: format!("parentheses lie at most {MOST_PARENTHESES} deep within each other"),
            label: "one too deep".to_owned(),
            help: "give the inner part a name: that of a constant, or of a task's output".into(),
        })
    }

    /// A number of a slot: a `-` behind it makes a range, so arithmetic needs parentheses there.
    pub(super) fn single(&mut self) -> Parsed<Expression> {
        self.operand(0)
    }

    /// A literal or a name.
    fn plain(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let form = match self.peek() {
            Token::True => self.fixed(Literal::Boolean(true)),
            Token::False => self.fixed(Literal::Boolean(false)),
            Token::Character => self.character(),
            Token::Minus => {
                self.take();
                match self.peek() {
                    Token::Number => self.number(true)?,
                    _ => return self.unexpected("a number after `-`"),
                }
            }
            Token::Number => self.number(false)?,
            Token::Name => self.path()?,
            _ => return self.unexpected("a value"),
        };
        Ok(Expression { form, place: start.to(self.last()) })
    }

    fn fixed(&mut self, literal: Literal) -> Form {
        self.take();
        Form::Literal(literal)
    }

    fn character(&mut self) -> Form {
        let place = self.take().place;
        let character = self.text(place).as_bytes().get(1).copied().unwrap_or(0);
        Form::Literal(Literal::Character(character))
    }

    fn path(&mut self) -> Parsed<Form> {
        let mut names = vec![self.name("a value")?];
        while self.accept(Token::Dot).is_some() {
            names.push(self.name("a name after the dot")?);
        }
        Ok(Form::Path(names))
    }

    fn number(&mut self, negative: bool) -> Parsed<Form> {
        let place = self.take().place;
        let text = self.text(place);
        match literal(text, negative) {
            Ok(literal) => Ok(Form::Literal(literal)),
            Err(Malformed { code, reason, help }) => {
                let message = format!("`{text}` {reason}");
                let problem =
                    Problem { code, place, message, label: "this number".to_owned(), help: help.into() };
                self.reporter.report(problem);
                Err(Refused)
            }
        }
    }
}

struct Malformed {
    code: &'static str,
    reason: &'static str,
    help: &'static str,
}

/// A number as split off by the lexer: digits, perhaps a fraction and an exponent, perhaps a unit.
fn literal(text: &str, negative: bool) -> Result<Literal, Malformed> {
    let plain: String = text.chars().filter(|&character| character != '_').collect();
    if plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Literal::Integer(signed(&plain, negative)?));
    }
    if is_real(&plain) {
        let sign = if negative { "-" } else { "" };
        return Ok(Literal::Real(format!("{sign}{plain}")));
    }
    let unit_at = plain.rfind(|character: char| !character.is_ascii_alphabetic()).map_or(0, |last| last + 1);
    let (digits, unit) = plain.split_at(unit_at);
    let microseconds = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        _ => return Err(no_number()),
    };
    let count = match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ratio::whole(signed(digits, negative)?),
        false if is_real(digits) => {
            Ratio::decimal(digits).map(|count| if negative { count.negative() } else { count })
        }
        false => return Err(no_number()),
    };
    let time = count.and_then(|count| count.times(Ratio::whole(microseconds)?));
    time.map(Literal::Time).ok_or(TOO_LARGE)
}

fn is_real(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    text.bytes().all(allowed) && text.parse::<f64>().is_ok()
}

fn signed(digits: &str, negative: bool) -> Result<i128, Malformed> {
    let magnitude: u64 = digits.parse().map_err(|_| TOO_LARGE)?;
    let magnitude = i128::from(magnitude);
    Ok(if negative { -magnitude } else { magnitude })
}

const TOO_LARGE: Malformed = Malformed {
    code: code::LITERAL_RANGE,
    reason: "is too large: no type of the language holds it",
    help: "integers reach to 9223372036854775807, periods to a day; write larger numbers of a `double` with a point",
};

fn no_number() -> Malformed {
    Malformed {
        code: code::MALFORMED_NUMBER,
        reason: "is neither a number nor a time",
        help: "numbers are decimal, such as `50`, `0.5` or `1e-3`; times end in `us`, `ms` or `s`, such as `20ms`; names begin with a letter",
    }
}
