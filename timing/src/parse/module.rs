//! Modules and their declarations.

use super::cursor::{Cursor, Parsed};
use super::giotto::Giotto;
use crate::diagnostic::{Problem, code};
use crate::syntax::{Actuator, Constant, Expression, Field, Kind, Module, Name, Record, Sensor};
use crate::token::Token;

/// The first words of the parts of a module.
pub(super) const PARTS: [Token; 10] = [
    Token::Import,
    Token::Const,
    Token::Sensor,
    Token::Actuator,
    Token::Public,
    Token::Task,
    Token::Start,
    Token::Mode,
    Token::Struct,
    Token::Asynchronous,
];

impl Cursor<'_> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        self.sample = "`module Name { ... }`";
        self.expect(Token::Module, "`module`")?;
        let mut module = Module {
            name: self.name("the module's name")?,
            body: self.here(),
            imports: Vec::new(),
            constants: Vec::new(),
            records: Vec::new(),
            sensors: Vec::new(),
            actuators: Vec::new(),
            tasks: Vec::new(),
            modes: Vec::new(),
            drivers: Vec::new(),
            asynchronous: Vec::new(),
        };
        let mut giotto = Giotto::default();
        let open = self.expect(Token::OpenBrace, "`{`")?;
        // An unclosed module is reported but still returned: its parts are as good as those of a closed one.
        let _ = self.block(open, &PARTS, &[Token::Module], |cursor| cursor.part(&mut module, &mut giotto));
        self.complete(giotto, &mut module);
        Ok(module)
    }

    fn part(&mut self, module: &mut Module, giotto: &mut Giotto) -> Parsed<()> {
        match self.peek() {
            Token::Start | Token::Mode if self.at_giotto_mode() => giotto.modes.push(self.giotto_mode()?),
            Token::Name if self.at_word("driver") => giotto.drivers.push(self.giotto_driver()?),
            Token::Import => module.imports.push(self.import()?),
            Token::Const => module.constants.push(self.constant()?),
            Token::Sensor => module.sensors.push(self.sensor()?),
            Token::Actuator => module.actuators.push(self.actuator()?),
            Token::Public | Token::Task => module.tasks.push(self.task()?),
            Token::Start | Token::Mode => module.modes.push(self.mode()?),
            Token::Struct => module.records.push(self.record()?),
            Token::Asynchronous => self.asynchronous(&mut module.asynchronous)?,
            _ => {
                self.sample = "`module Name { import ...; const ...; sensor ...; actuator ...; task ...; start mode ... }`";
                return self.unexpected("a declaration or a mode");
            }
        }
        Ok(())
    }

    fn import(&mut self) -> Parsed<Name> {
        self.sample = "`import Navigation;`";
        self.take();
        let name = self.name("the name of a module")?;
        self.semicolon()?;
        Ok(name)
    }

    fn constant(&mut self) -> Parsed<Constant> {
        self.sample = "`const limit = 50;`";
        self.take();
        let name = self.name("the constant's name")?;
        self.expect(Token::Equals, "`=`")?;
        let value = self.expression()?;
        self.semicolon()?;
        Ok(Constant { name, value })
    }

    fn record(&mut self) -> Parsed<Record> {
        self.sample = "`struct Position { float x; float y; }`";
        let begin = self.take().place;
        let name = self.name("the struct's name")?;
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let mut fields = Vec::new();
        let mut outside = PARTS.to_vec();
        outside.push(Token::Module);
        self.block(open, &[], &outside, |cursor| {
            let kind = cursor.kind()?;
            let name = cursor.name("the field's name")?;
            cursor.semicolon()?;
            fields.push(Field { name, kind });
            Ok(())
        })?;
        Ok(Record { place: begin.to(self.last()), name, fields })
    }

    fn sensor(&mut self) -> Parsed<Sensor> {
        self.sample = "`sensor float gps uses read_gps;`";
        self.take();
        let kind = self.kind()?;
        let name = self.name("the sensor's name")?;
        if self.peek() == Token::Becomes {
            return self.initial_of_sensor();
        }
        let getter = self.driver("the name of a getter")?;
        self.semicolon()?;
        Ok(Sensor { name, kind, getter })
    }

    fn initial_of_sensor(&mut self) -> Parsed<Sensor> {
        let problem = Problem {
            code: code::UNWANTED_INITIAL,
            place: self.here(),
            message: "a sensor has no initial value: its getter reads it before the first use".to_owned(),
            label: "an initial value".to_owned(),
            help: format!("remove the value; the form is: {}", self.sample).into(),
        };
        self.refuse(problem)
    }

    fn actuator(&mut self) -> Parsed<Actuator> {
        self.sample = "`actuator float servo := 0.0 uses set_servo;`";
        self.take();
        let kind = self.kind()?;
        let name = self.name("the actuator's name")?;
        let initial = self.initial()?;
        let setter = self.driver("the name of a setter")?;
        self.semicolon()?;
        Ok(Actuator { name, kind, initial, setter })
    }

    fn driver(&mut self, what: &str) -> Parsed<Option<Name>> {
        match self.accept(Token::Uses) {
            Some(_) => self.name(what).map(Some),
            None => Ok(None),
        }
    }

    /// `:= value`, if present.
    pub(super) fn initial(&mut self) -> Parsed<Option<Expression>> {
        match self.peek() {
            Token::Equals => self.unexpected("`:=`"),
            Token::Becomes => {
                self.take();
                self.expression().map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A type: a name, perhaps that of an imported module before it, and for an array its length in brackets.
    pub(super) fn kind(&mut self) -> Parsed<Kind> {
        if self.peek() != Token::Name
            || matches!(self.peek_at(1), Token::Semicolon | Token::Uses | Token::Becomes)
        {
            return self.unexpected("a type and a name");
        }
        let mut name = self.word();
        let mut module = None;
        if self.accept(Token::Dot).is_some() {
            if self.peek() != Token::Name {
                return self.unexpected("the name of a struct");
            }
            module = Some(std::mem::replace(&mut name, self.word()));
        }
        let Some(_) = self.accept(Token::OpenBracket) else {
            return Ok(Kind { module, name, length: None });
        };
        let length = self.reckoned()?;
        self.expect(Token::CloseBracket, "`]`")?;
        if self.peek() == Token::OpenBracket {
            return self.array_of_arrays();
        }
        Ok(Kind { module, name, length: Some(length) })
    }

    /// The next word as a name, even one of the basic types.
    fn word(&mut self) -> Name {
        let place = self.take().place;
        Name { text: self.text(place).to_owned(), place }
    }
}
