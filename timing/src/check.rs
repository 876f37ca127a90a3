//! Checking: from the syntax tree to the model, rule by rule.

mod declaration;
mod import;
mod kind;
mod mode;
mod name;
mod native;
mod operand;
mod rate;
mod suggestion;
mod value;

use crate::diagnostic::Reporter;
use crate::model::Module;
use crate::syntax;

/// A check that failed and has been reported.
#[derive(Debug)]
struct Refused;

type Checked<T> = Result<T, Refused>;

/// The modules of the model, or `None` if a rule is broken.
pub(crate) fn check(tree: &[syntax::Module], reporter: &mut Reporter) -> Option<Vec<Module>> {
    let scopes = name::scopes(tree, reporter);
    reporter.clean()?;

    import::acyclic(&scopes, reporter);
    let declarations = declaration::declarations(&scopes, reporter);
    native::one_use_each(tree, &declarations, reporter);
    reporter.clean()?;

    let modes = mode::modes(&scopes, &declarations, reporter);
    reporter.clean()?;

    let parts = scopes.iter().zip(declarations).zip(modes);
    Some(parts.map(|((scope, declarations), mode)| declarations.with(scope, mode)).collect())
}
