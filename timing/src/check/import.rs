//! The import graph has no cycle (rule 7).

use super::name::Scope;
use crate::diagnostic::{Problem, Reporter, code};
use std::collections::{BTreeMap, BTreeSet};

/// The modules, each behind those that it imports, and else in the order of the text; reports a cycle if there
/// is one.
pub(super) fn in_order(scopes: &[Scope<'_>], reporter: &mut Reporter) -> Vec<usize> {
    match order(scopes) {
        Ok(order) => order,
        Err(cycle) => {
            report(&cycle, scopes, reporter);
            Vec::new()
        }
    }
}

fn report(cycle: &[usize], scopes: &[Scope<'_>], reporter: &mut Reporter) {
    let names: Vec<&str> =
        cycle.iter().filter_map(|&index| Some(scopes.get(index)?.module.name.text.as_str())).collect();
    let (Some(first), Some(scope)) = (names.first(), cycle.first().and_then(|&first| scopes.get(first)))
    else {
        return;
    };
    let Some(import) =
        scope.module.imports.iter().find(|import| names.get(1).unwrap_or(first) == &import.text)
    else {
        return;
    };
    let chain: Vec<String> = names.iter().chain([first]).map(|name| format!("`{name}`")).collect();
    let (message, help) = match chain.as_slice() {
        [name, _] => (
            format!("module {name} imports itself"),
            "remove it: a module names its own tasks without import",
        ),
        _ => (
            format!("modules import each other in a circle: {}", chain.join(" imports ")),
            "remove it, and put tasks that read each other into one module",
        ),
    };
    reporter.report(Problem {
        code: code::IMPORT_CYCLE,
        place: import.place,
        message,
        label: "this import closes the circle".to_owned(),
        help: help.into(),
    });
}

/// Repeatedly removes modules that import none of the remaining ones; whatever remains at the end contains a
/// cycle, and is the error.
fn order(scopes: &[Scope<'_>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut order = Vec::new();
    let mut open: Vec<usize> = scopes.iter().map(|scope| scope.imports.len()).collect();
    let mut importers: Vec<Vec<usize>> = vec![Vec::new(); scopes.len()];
    for scope in scopes {
        for &import in &scope.imports {
            importers.get_mut(import).into_iter().for_each(|list| list.push(scope.index));
        }
    }
    let mut free: BTreeSet<usize> = (0..scopes.len()).filter(|&index| open.get(index) == Some(&0)).collect();
    while let Some(index) = free.pop_first() {
        order.push(index);
        for &importer in importers.get(index).into_iter().flatten() {
            let Some(count) = open.get_mut(importer) else { continue };
            *count -= 1;
            if *count == 0 {
                free.insert(importer);
            }
        }
    }
    let left = open.iter().position(|&count| count > 0);
    match left.and_then(|start| walk(scopes, &open, start)) {
        Some(cycle) => Err(cycle),
        None => Ok(order),
    }
}

/// Follows imports among the remaining modules until a module repeats.
fn walk(scopes: &[Scope<'_>], open: &[usize], start: usize) -> Option<Vec<usize>> {
    let mut path = Vec::new();
    let mut seen = BTreeMap::new();
    let mut current = start;
    loop {
        if let Some(&begin) = seen.get(&current) {
            return Some(path.split_off(begin));
        }
        seen.insert(current, path.len());
        path.push(current);
        let imports = &scopes.get(current)?.imports;
        current = *imports.iter().find(|&&import| open.get(import).is_some_and(|&count| count > 0))?;
    }
}
