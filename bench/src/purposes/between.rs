//! Functions of applications that aren't logged: they print or wait between samples, or at the end. They are most of a
//! run and in no sample; if one were, the sample's sum would be too small.

use anyhow::{Result, ensure};

/// A function, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Those in Rust that have this in their mangled names.
    Rust(&'static str),
    /// The one in C of this name.
    C(&'static str),
}

/// Functions of a system that run between its samples, and which of them its programs were seen to have.
#[derive(Clone, Debug)]
pub struct Between {
    functions: Vec<(Function, bool)>,
}

impl Between {
    /// These functions, none of which was seen yet.
    pub fn new(functions: &[Function]) -> Between {
        Between { functions: functions.iter().map(|function| (*function, false)).collect() }
    }

    /// Whether a program's symbol is one of them, which is then seen.
    pub fn has(&mut self, symbol: &str) -> bool {
        let mut has = false;
        for (function, seen) in &mut self.functions {
            if function.is(symbol) {
                (has, *seen) = (true, true);
            }
        }
        has
    }

    /// Checks that all of them were seen: a name that nothing has leaves out nothing, and nobody would know.
    ///
    /// # Errors
    /// Those that weren't.
    pub fn all_found(&self) -> Result<()> {
        let absent: Vec<_> =
            self.functions.iter().filter(|(_, seen)| !seen).map(|(function, _)| function.name()).collect();
        ensure!(
            absent.is_empty(),
            "its programs have no function `{}`; `between_samples` in bench/src/purposes/system.rs says that they have",
            absent.join("` or `")
        );
        Ok(())
    }
}

impl Function {
    fn is(self, symbol: &str) -> bool {
        match self {
            Function::Rust(part) => symbol.contains(part),
            Function::C(name) => symbol == name,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Function::Rust(name) | Function::C(name) => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_no_program_has_is_told() {
        let mut between = Between::new(&[Function::Rust("4core3fmt"), Function::C("print")]);
        assert!(between.has("_RNvNtCs1_4core3fmt5write") && between.has("_RNvNtCs1_4core3fmt3num"));
        assert!(!between.has("printed"), "in C the whole name counts");
        let error = between.all_found().expect_err("`print` is in none of them").to_string();
        assert!(error.contains("`print`") && !error.contains("fmt"), "{error}");
        assert!(between.has("print"));
        between.all_found().expect("all were seen");
    }
}
