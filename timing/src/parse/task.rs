//! Task declarations.

use super::cursor::{Cursor, Parsed};
use super::module::PARTS;
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::Role;
use crate::syntax::{Name, Port, Task, Uses};
use crate::token::Token;

const STATEMENTS: [Token; 4] = [Token::Input, Token::State, Token::Output, Token::Uses];

impl Cursor<'_> {
    pub(super) fn task(&mut self) -> Parsed<Task> {
        self.sample = "`task name { input ...; state ...; output ...; uses function(ports); }`";
        let begin = self.here();
        let public = self.accept(Token::Public);
        if public.is_some() && self.peek() != Token::Task {
            return self.public_other();
        }
        self.expect(Token::Task, "`task`")?;
        let name = self.name("the task's name")?;
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let (ports, uses) = (Vec::new(), Vec::new());
        let mut task = Task { begin, name, body: open.place, public: public.is_some(), ports, uses };
        let mut outside = PARTS.to_vec();
        outside.push(Token::Module);
        self.block(open, &STATEMENTS, &outside, |cursor| cursor.task_statement(&mut task))?;
        Ok(task)
    }

    fn public_other<T>(&mut self) -> Parsed<T> {
        let place = self.last();
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: "only a task can be public: nothing but task outputs crosses modules".to_owned(),
            label: "not before a task".to_owned(),
            help: Help::from("remove `public`; to share a value, let a public task copy it to an output")
                .or(place, ""),
        })
    }

    fn task_statement(&mut self, task: &mut Task) -> Parsed<()> {
        match self.peek() {
            Token::Input => task.ports.push(self.port(Role::Input, "`input float fix;`")?),
            Token::State => task.ports.push(self.port(Role::State, "`state float estimate := 0.0;`")?),
            Token::Output => task.ports.push(self.port(Role::Output, "`output float position := 0.0;`")?),
            Token::Uses => task.uses.push(self.uses()?),
            _ => {
                self.sample = "`task name { input ...; state ...; output ...; uses function(ports); }`";
                return self.unexpected("`input`, `state`, `output` or `uses`");
            }
        }
        Ok(())
    }

    fn port(&mut self, role: Role, sample: &'static str) -> Parsed<Port> {
        self.sample = sample;
        self.take();
        let kind = self.kind()?;
        let name = self.name("the port's name")?;
        let initial = self.initial()?;
        self.semicolon()?;
        Ok(Port { name, role, kind, initial })
    }

    fn uses(&mut self) -> Parsed<Uses> {
        self.sample = "`uses function(port, port);`";
        let start = self.take().place;
        let function = self.name("the name of a native function")?;
        let arguments = self.arguments(|cursor| -> Parsed<Name> { cursor.name("the name of a port") })?;
        let place = start.to(self.last());
        self.semicolon()?;
        Ok(Uses { function, arguments, place })
    }

    /// `(argument, ...)`
    pub(super) fn arguments<T>(&mut self, argument: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(Token::OpenParenthesis, "`(`")?;
        let mut arguments = Vec::new();
        if self.accept(Token::CloseParenthesis).is_some() {
            return Ok(arguments);
        }
        loop {
            arguments.push(argument(self)?);
            if self.accept(Token::Comma).is_none() {
                self.expect(Token::CloseParenthesis, "`,` or `)`")?;
                return Ok(arguments);
            }
        }
    }
}
