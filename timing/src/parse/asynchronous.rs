//! Asynchronous activities.

use super::cursor::{Cursor, Parsed};
use super::mode::OUTSIDE;
use crate::syntax::Asynchronous;
use crate::token::Token;

const SAMPLE: &str = "`asynchronous { task [trigger = uart, priority = 2] log(command.value); }`";

impl Cursor<'_> {
    /// `asynchronous { task [trigger = uart, priority = 2] log(command.value); ... }`
    pub(super) fn asynchronous(&mut self, activities: &mut Vec<Asynchronous>) -> Parsed<()> {
        self.sample = SAMPLE;
        self.take();
        let open = self.expect(Token::OpenBrace, "`{`")?;
        self.block(open, &[Token::Task], &OUTSIDE, |cursor| {
            cursor.sample = SAMPLE;
            let start = cursor.expect(Token::Task, "`task`")?.place;
            let attributes = cursor.attributes(&["trigger", "priority"])?;
            let guard = cursor.guard()?;
            let task = cursor.name("the name of a task")?;
            let arguments = cursor.arguments(Self::expression)?;
            let place = start.to(cursor.last());
            cursor.semicolon()?;
            let (trigger, priority) = (attributes.trigger, attributes.priority);
            activities.push(Asynchronous { trigger, priority, guard, task, arguments, place });
            Ok(())
        })
    }
}
