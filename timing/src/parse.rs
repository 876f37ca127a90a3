//! Parsing: from words to the syntax tree, by recursive descent.

mod asynchronous;
mod attribute;
mod condition;
mod cursor;
mod expression;
mod giotto;
mod mode;
mod module;
mod task;

pub(crate) use condition::CONDITIONS;

use crate::diagnostic::Reporter;
use crate::syntax::Module;
use crate::token::{Lexeme, Token};
use cursor::Cursor;

/// The modules of one source. Unreadable parts are reported and left out.
pub(crate) fn parse(text: &str, lexemes: &[Lexeme], reporter: &mut Reporter) -> Vec<Module> {
    let mut cursor = Cursor::new(text, lexemes, reporter);
    let mut modules = Vec::new();
    while cursor.peek() != Token::End {
        match cursor.module() {
            Ok(module) => modules.push(module),
            Err(_) => cursor.skip_to_module(),
        }
    }
    modules
}
