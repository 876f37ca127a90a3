//! Checking: from the syntax tree to the model, rule by rule.

mod asynchronous;
mod declaration;
mod field;
mod guard;
mod harmony;
mod import;
mod kind;
mod mode;
mod name;
mod native;
mod operand;
mod rate;
mod record;
mod slots;
mod suggestion;
mod value;

use crate::diagnostic::Reporter;
use crate::model::{Module, Record};
use crate::syntax;
use std::sync::Arc;

/// A check that failed and has been reported.
#[derive(Debug)]
struct Refused;

type Checks<T> = Result<T, Refused>;

/// The meaning of a text that breaks no rule.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) modules: Vec<Module>,
    pub(crate) records: Vec<Arc<Record>>,
}

/// The modules of the model, or `None` if a rule is broken.
pub(crate) fn check(tree: &[syntax::Module], reporter: &mut Reporter) -> Option<Checked> {
    let mut scopes = name::scopes(tree, reporter);
    reporter.clean()?;
    let records = record::records(&mut scopes, reporter);
    reporter.clean()?;

    import::acyclic(&scopes, reporter);
    let declarations = declaration::declarations(&scopes, reporter);
    native::one_use_each(tree, &declarations, reporter);
    reporter.clean()?;

    let modes = mode::modes(&scopes, &declarations, reporter);
    reporter.clean()?;
    native::one_use_of_guards(tree, &declarations, &modes, reporter);
    reporter.clean()?;

    let parts = scopes.iter().zip(declarations).zip(modes);
    let modules = parts.map(|((scope, declarations), modes)| declarations.with(scope, modes)).collect();
    Some(Checked { modules, records })
}
