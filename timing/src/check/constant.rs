//! Constants: what each one holds, once for all its uses, and what stands where only a constant can.

use super::arithmetic::reckon;
use super::name::{Entity, Offers, Scope};
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::place::Place;
use crate::syntax::{self, Expression, Form, Name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the constants of a module hold: literals, and lists of them. `None` for one that has been refused.
pub(super) type Constants<'a> = BTreeMap<&'a str, Option<Rc<Form>>>;

/// Finds out what the constants of a module hold, in the order of the text; those of its imports are known.
pub(super) fn constants(scope: &mut Scope<'_>, reporter: &mut Reporter) {
    for one in &scope.module.constants {
        if reporter.is_full() {
            return;
        }
        let held = held(one, scope, reporter).ok();
        Rc::make_mut(&mut scope.own.constants).insert(&one.name.text, held);
    }
}

fn held(one: &syntax::Constant, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Rc<Form>> {
    match &one.value.form {
        Form::Path(path) => named(path, one.value.place, scope, reporter).cloned(),
        _ => written(&one.value, scope, reporter).map(|value| Rc::new(value.form)),
    }
}

/// A value without names in it, so that other modules may have it, too.
fn written(value: &Expression, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Expression> {
    let form = match &value.form {
        Form::List(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| written(part, scope, reporter)).collect();
            Form::List(parts.into_iter().collect::<Checks<_>>()?)
        }
        _ => match constant(value, scope, reporter)?.into_owned() {
            Form::List(_) => {
                reporter.report(Problem {
                    code: code::WRONG_USE,
                    place: value.place,
                    message:
                        "inside of a constant's list a name stands for one value, and this one holds a list"
                            .to_owned(),
                    label: "a list".to_owned(),
                    help: "write the list itself, or name both constants where they are used".into(),
                });
                return Err(Refused);
            }
            form => form,
        },
    };
    Ok(Expression { form, place: value.place })
}

/// The expression itself, what the constant holds that it names, or what its arithmetic comes to.
pub(super) fn constant<'s>(
    expression: &'s Expression,
    scope: &'s Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Cow<'s, Form>> {
    reporter.count(1);
    if reporter.is_full() {
        return Err(Refused);
    }
    match &expression.form {
        Form::Literal(_) | Form::List(_) => Ok(Cow::Borrowed(&expression.form)),
        Form::Negative(_) | Form::Reckoned(..) => {
            reckon(expression, scope, reporter).map(|literal| Cow::Owned(Form::Literal(literal)))
        }
        Form::Path(path) => {
            named(path, expression.place, scope, reporter).map(|form| Cow::Borrowed(form.as_ref()))
        }
    }
}

/// Whether a path names a constant, of this module or of an imported one.
pub(super) fn is_constant(path: &[Name], scope: &Scope<'_>) -> bool {
    let entity = |name: &Name| scope.names.get(name.text.as_str());
    match path {
        [name] => matches!(entity(name), Some(Entity::Constant)),
        [module, name] => match entity(module) {
            Some(Entity::Import(module)) => scope
                .imported
                .get(module)
                .is_some_and(|offers| offers.constants.contains_key(name.text.as_str())),
            _ => false,
        },
        _ => false,
    }
}

fn named<'s>(
    path: &[Name],
    place: Place,
    scope: &'s Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<&'s Rc<Form>> {
    match path {
        [name] => own(name, scope, reporter),
        [module, name] => match scope.names.get(module.text.as_str()) {
            Some(Entity::Import(index)) => imported(*index, module, name, scope, reporter),
            None if scope.modules.contains_key(module.text.as_str()) => {
                not_imported(module, std::slice::from_ref(name), scope, reporter)
            }
            _ => no_constant(place, reporter),
        },
        _ => no_constant(place, reporter),
    }
}

fn own<'s>(name: &Name, scope: &'s Scope<'_>, reporter: &mut Reporter) -> Checks<&'s Rc<Form>> {
    match (scope.own.constants.get(name.text.as_str()), scope.names.get(name.text.as_str())) {
        (Some(held), _) => held.as_ref().ok_or(Refused),
        (None, Some(Entity::Constant)) => not_above(name, reporter),
        (None, Some(other)) => {
            reporter.report(Problem {
                code: code::WRONG_USE,
                place: name.place,
                message: format!(
                    "`{}` is {}; only a literal or a constant can stand here",
                    name.text,
                    other.description()
                ),
                label: "not known before the system runs".to_owned(),
                help: Help::from(format!(
                    "write a number, or declare a constant: `const {}_value = 1;`",
                    name.text
                ))
                .or(name.place, "1"),
            });
            Err(Refused)
        }
        (None, None) => {
            let constants = scope.module.constants.iter().map(|constant| constant.name.text.as_str());
            reporter.count(scope.module.constants.len());
            let has = |offers: &Offers<'_>| offers.constants.contains_key(name.text.as_str());
            let help = match scope.importing(has, reporter) {
                Some(module) => Help::write(name.place, &format!("{module}.{}", name.text)),
                None => suggestion::proposal(
                    name,
                    constants,
                    format!("write the value itself, or declare `const {} = ...;`", name.text),
                ),
            };
            reporter.report(Problem {
                code: code::UNKNOWN_NAME,
                place: name.place,
                message: format!(
                    "module `{}` has no constant called `{}`",
                    scope.module.name.text, name.text
                ),
                label: "unknown constant".to_owned(),
                help,
            });
            Err(Refused)
        }
    }
}

/// Constants may name those above them, so none depends on itself.
fn not_above<T>(name: &Name, reporter: &mut Reporter) -> Checks<T> {
    reporter.report(Problem {
        code: code::WRONG_USE,
        place: name.place,
        message: format!("constant `{}` is declared further down, or here, and isn't known yet", name.text),
        label: "not known here".to_owned(),
        help: format!("move `const {} = ...;` above this one, or write the value itself", name.text).into(),
    });
    Err(Refused)
}

fn imported<'s>(
    index: usize,
    module: &Name,
    name: &Name,
    scope: &'s Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<&'s Rc<Form>> {
    let Some(offers) = scope.imported.get(&index) else { return Err(Refused) };
    if let Some(held) = offers.constants.get(name.text.as_str()) {
        return held.as_ref().ok_or(Refused);
    }
    unknown_imported(module, name, scope, reporter)
}

/// The name of something that an imported module doesn't have as a constant.
pub(super) fn unknown_imported<T>(
    module: &Name,
    name: &Name,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<T> {
    let offers = match scope.names.get(module.text.as_str()) {
        Some(Entity::Import(index)) => scope.imported.get(index),
        _ => None,
    };
    let constants = offers.into_iter().flat_map(|offers| offers.constants.keys().copied());
    reporter.count(offers.map_or(0, |offers| offers.constants.len()));
    reporter.report(Problem {
        code: code::UNKNOWN_NAME,
        place: name.place,
        message: format!("module `{}` has no constant called `{}`", module.text, name.text),
        label: "unknown constant".to_owned(),
        help: suggestion::proposal(
            name,
            constants,
            format!("write the value itself, or declare `const {} = ...;` in `{}`", name.text, module.text),
        ),
    });
    Err(Refused)
}

/// Names behind that of a module that the own one doesn't import.
pub(super) fn not_imported<T>(
    module: &Name,
    rest: &[Name],
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<T> {
    let home = &scope.module.name.text;
    let own: Vec<&str> = rest.iter().map(|name| name.text.as_str()).collect();
    let whole = rest.last().map_or(module.place, |last| module.place.to(last.place));
    let (message, label, help): (_, _, Help<Place>) = match *home == module.text {
        true => (
            format!("`{home}` is this module itself, which isn't imported"),
            "this module",
            Help::from(format!("what is its own is named without it: `{}`", own.join(".")))
                .or(whole, own.join(".")),
        ),
        false => (
            format!("module `{home}` doesn't import `{}`", module.text),
            "not imported",
            Help::from(format!("write `import {};` at the top of module `{home}`", module.text))
                .or(scope.module.body.behind(), format!(" import {};", module.text)),
        ),
    };
    let label = label.to_owned();
    reporter.report(Problem { code: code::NOT_IMPORTED, place: module.place, message, label, help });
    Err(Refused)
}

fn no_constant<T>(place: Place, reporter: &mut Reporter) -> Checks<T> {
    reporter.report(Problem {
        code: code::WRONG_USE,
        place,
        message: "an output changes while the system runs; only a literal or a constant can stand here"
            .to_owned(),
        label: "not known before the system runs".to_owned(),
        help: "write the value, or a constant of this module or of an imported one: `Module.limit`".into(),
    });
    Err(Refused)
}
