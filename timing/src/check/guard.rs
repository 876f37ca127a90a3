//! Guards: native functions over sensors, outputs, constants and literals (rules 5 and 16).

use super::Checks;
use super::constant::{constant, is_constant};
use super::operand::Reader;
use super::value::value;
use crate::model::{Argument, Basic, Guard, Operand, Type};
use crate::syntax::{self, Expression, Form, Literal};

impl Reader<'_, '_> {
    pub(super) fn guard(&mut self, guard: &syntax::Guard) -> Checks<Guard> {
        if let syntax::Condition::Native { function, arguments } = &guard.condition {
            let arguments = self.arguments(arguments)?;
            let (function, place) = (function.text.clone(), function.place);
            return Ok(Guard { function, arguments, condition: None, place });
        }
        let mut arguments = Vec::new();
        let condition = Some(self.condition(&guard.condition, &mut arguments)?);
        Ok(Guard { function: guard.text.clone(), arguments, condition, place: guard.place })
    }

    pub(super) fn arguments(&mut self, arguments: &[Expression]) -> Checks<Vec<Argument>> {
        let arguments: Vec<_> = arguments.iter().map(|argument| self.argument(argument)).collect();
        arguments.into_iter().collect()
    }

    pub(super) fn argument(&mut self, expression: &Expression) -> Checks<Argument> {
        if let Form::Path(path) = &expression.form
            && !is_constant(path, self.scope)
        {
            let (operand, kind, _) = self.resolve(path, expression.place)?;
            return Ok(Argument { operand, kind });
        }
        let kind = self.kind_of(expression)?;
        let value = value(expression, &kind, self.scope, self.reporter)?;
        Ok(Argument { operand: Operand::Constant(value), kind })
    }

    /// No declaration says what a guard takes, so a literal's type follows from its own form.
    fn kind_of(&mut self, expression: &Expression) -> Checks<Type> {
        let form = constant(expression, self.scope, self.reporter)?;
        let Form::List(elements) = &*form else { return Ok(Type::basic(basic(&form))) };
        let mut widest = Basic::Boolean;
        for element in elements {
            let own = basic(&*constant(element, self.scope, self.reporter)?);
            if rank(own) > rank(widest) {
                widest = own;
            }
        }
        // The parser guarantees at least one element, and no more than an array can have.
        Ok(Type::array(widest, u32::try_from(elements.len()).unwrap_or(u32::MAX)))
    }
}

/// `int`, or `long` if the number needs it; `double` if it has a point or is a fraction.
fn basic(form: &Form) -> Basic {
    match form {
        Form::Literal(Literal::Boolean(_)) => Basic::Boolean,
        Form::Literal(Literal::Character(_)) => Basic::Char,
        Form::Literal(Literal::Real(_) | Literal::Fraction { .. }) => Basic::Double,
        Form::Literal(Literal::Integer(value)) if i32::try_from(*value).is_err() => Basic::Long,
        _ => Basic::Int,
    }
}

/// The element with the highest rank determines an array's type; the others must fit it.
fn rank(basic: Basic) -> usize {
    [Basic::Boolean, Basic::Char, Basic::Int, Basic::Long, Basic::Double]
        .iter()
        .position(|one| *one == basic)
        .unwrap_or(0)
}
