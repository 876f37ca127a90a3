//! Checking: from the syntax tree to the model, rule by rule.

mod arithmetic;
mod asynchronous;
mod condition;
mod constant;
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
    let order = import::in_order(&scopes, reporter);
    reporter.clean()?;
    let records = named_by_others(&mut scopes, &order, reporter);
    reporter.clean()?;

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

/// Constants and structs, those of imports first, since the others may name them. The records of the system.
fn named_by_others<'a>(
    scopes: &mut [name::Scope<'a>],
    order: &[usize],
    reporter: &mut Reporter,
) -> Vec<Arc<Record>> {
    let mut known = record::Records::new();
    for &index in order {
        let imports = scopes.get(index).map_or(&[][..], |scope| &scope.imports);
        let offers = imports.iter().filter_map(|&import| Some((import, scopes.get(import)?.own.clone())));
        let offers = offers.collect();
        let Some(scope) = scopes.get_mut(index) else { continue };
        scope.imported = offers;
        constant::constants(scope, reporter);
        record::records(scope, &mut known, reporter);
    }
    record::in_text_order(known)
}
