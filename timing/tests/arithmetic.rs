//! Random arithmetic in constants comes to what a plain reading of it comes to.
//!
//! The plain reading keeps a fraction of two numbers that are never shortened, and goes by the tree that was drawn, not
//! by the text. proptest prints the input that fails, shrunk, and stores its seed beside this file.

use beryl_timing::{Scalar, Source, Value, compile};
use proptest::prelude::*;

/// Arithmetic as it was drawn.
#[derive(Clone, Debug)]
enum Drawn {
    Number(i128),
    Negative(Box<Drawn>),
    /// The operator, and its operands.
    Joined(char, Box<Drawn>, Box<Drawn>),
}

use Drawn::{Joined, Negative, Number};

impl Drawn {
    /// Its text, with only those parentheses that it needs: `rank` says what binds more around it.
    fn text(&self, rank: u8) -> String {
        let (own, text) = match self {
            Number(number) => (3, number.to_string()),
            Negative(inner) => {
                (3, format!("-{}", inner.text(if matches!(**inner, Negative(_)) { 4 } else { 3 })))
            }
            Joined(operator, left, right) => {
                let own = if "*/".contains(*operator) { 2 } else { 1 };
                (own, format!("{} {operator} {}", left.text(own), right.text(own + 1)))
            }
        };
        // A `-` behind an operator needs none; one behind another `-` does.
        match own < rank || rank == 4 {
            true => format!("({text})"),
            false => text,
        }
    }

    /// Numerator and denominator, unless it divides by zero or grows out of reach of this reading.
    fn value(&self) -> Option<(i128, i128)> {
        match self {
            Number(number) => Some((*number, 1)),
            Negative(inner) => inner.value().map(|(over, under)| (-over, under)),
            Joined(operator, left, right) => {
                let ((a, b), (c, d)) = (left.value()?, right.value()?);
                let (over, under) = match operator {
                    '+' => (a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?),
                    '-' => (a.checked_mul(d)?.checked_sub(c.checked_mul(b)?)?, b.checked_mul(d)?),
                    '*' => (a.checked_mul(c)?, b.checked_mul(d)?),
                    _ => (a.checked_mul(d)?, b.checked_mul(c)?),
                };
                (under != 0).then_some((over, under))
            }
        }
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let number = (0..40_i128).prop_map(Number);
    number.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|one| Negative(Box::new(one))),
            6 => (prop_oneof![Just('+'), Just('-'), Just('*'), Just('/')], inner.clone(), inner)
                .prop_map(|(operator, left, right)| Joined(operator, Box::new(left), Box::new(right))),
        ]
    })
}

/// The initial values of a task's states in a program with these texts for a `long`, a `double` and a constant's use.
fn states(text: &str, kind: &str) -> Option<Value> {
    let text = format!(
        "module M {{ const named = {text}; task t {{ state {kind} direct := {text}; state {kind} again := named; \
         uses f(direct); }} start mode m [period = 1ms] {{ }} }}"
    );
    let model = compile(&[Source { name: "drawn.tdl".to_owned(), text }]).ok()?;
    let ports = &model.modules.first()?.tasks.first()?.ports;
    let values: Vec<_> = ports.iter().map(|port| port.initial.clone()).collect();
    assert_eq!(values.first(), values.get(1), "a name changes nothing");
    values.first().cloned().flatten()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_comes_to_what_fractions_come_to(drawn in drawn()) {
        let text = drawn.text(0);
        let Some((over, under)) = drawn.value() else {
            // By zero: refused. Out of reach: whatever it is, the answer is no panic.
            states(&text, "long");
            return Ok(());
        };
        let whole = (over % under == 0).then(|| over / under).and_then(|whole| i64::try_from(whole).ok());
        prop_assert_eq!(states(&text, "long"), whole.map(|whole| Value::Scalar(Scalar::Long(whole))), "{}", text);
        // Both parts exact in a double: then one division rounds as the fraction does.
        let exact = |part: i128| part.unsigned_abs() < 1 << 53;
        if exact(over) && exact(under) && over % under != 0 {
            #[expect(clippy::cast_precision_loss, reason = "both are exact")]
            let expected = over as f64 / under as f64;
            prop_assert_eq!(states(&text, "double"), Some(Value::Scalar(Scalar::Double(expected))), "{}", text);
        }
    }
}
