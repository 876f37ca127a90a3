//! Names: one namespace per module, unique names in it, and what each one means (rule 13).

use super::constant::Constants;
use super::suggestion;
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::Record;
use crate::place::Place;
use crate::syntax::{Module, Name};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The meaning of a module's name, with its index among its kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    /// Index of the imported module in the system.
    Import(usize),
    Constant,
    Record,
    Sensor(usize),
    Actuator(usize),
    Task(usize),
    Mode(usize),
    Driver,
}

impl Entity {
    /// With its article, for messages.
    pub(super) fn description(self) -> &'static str {
        match self {
            Entity::Import(_) => "an imported module",
            Entity::Constant => "a constant",
            Entity::Record => "a struct",
            Entity::Sensor(_) => "a sensor",
            Entity::Actuator(_) => "an actuator",
            Entity::Task(_) => "a task",
            Entity::Mode(_) => "a mode",
            Entity::Driver => "a driver",
        }
    }
}

/// A module with its namespace.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) index: usize,
    pub(super) module: &'a Module,
    /// All modules of the system.
    pub(super) tree: &'a [Module],
    pub(super) names: BTreeMap<&'a str, Entity>,
    /// Indices of the imported modules in the order of the text.
    pub(super) imports: Vec<usize>,
    /// Their indices by name.
    pub(super) modules: Rc<BTreeMap<&'a str, usize>>,
    /// Filled once its constants and structs have been checked.
    pub(super) own: Offers<'a>,
    /// The same of each imported module, by its index in the system; known before the own.
    pub(super) imported: BTreeMap<usize, Offers<'a>>,
}

impl Scope<'_> {
    /// The first imported module that offers something.
    pub(super) fn importing(
        &self,
        offers: impl Fn(&Offers<'_>) -> bool,
        reporter: &mut Reporter,
    ) -> Option<&str> {
        reporter.count(self.imports.len());
        let found = self.imports.iter().find(|import| self.imported.get(import).is_some_and(&offers))?;
        self.tree.get(*found).map(|module| module.name.text.as_str())
    }
}

/// What a module's declarations and those that import it can name: its constants and structs.
#[derive(Clone, Debug, Default)]
pub(super) struct Offers<'a> {
    pub(super) constants: Rc<Constants<'a>>,
    pub(super) records: Rc<BTreeMap<&'a str, Arc<Record>>>,
}

pub(super) fn scopes<'a>(tree: &'a [Module], reporter: &mut Reporter) -> Vec<Scope<'a>> {
    if tree.is_empty() {
        empty_system(reporter);
    }
    let mut modules = BTreeMap::new();
    for (index, module) in tree.iter().enumerate() {
        modules.entry(module.name.text.as_str()).or_insert(index);
    }
    let modules = Rc::new(modules);
    unique(tree.iter().map(|module| &module.name), "module", "the system", reporter);
    let enumerated = tree.iter().enumerate();
    enumerated.map(|(index, module)| scope(index, module, tree, &modules, reporter)).collect()
}

fn scope<'a>(
    index: usize,
    module: &'a Module,
    tree: &'a [Module],
    modules: &Rc<BTreeMap<&'a str, usize>>,
    reporter: &mut Reporter,
) -> Scope<'a> {
    let imports = module.imports.iter();
    let imports =
        imports.filter_map(|name| if reporter.is_full() { None } else { import(name, modules, reporter) });
    let imports = imports.collect();
    let mut scope = Scope {
        index,
        module,
        tree,
        names: BTreeMap::new(),
        imports,
        modules: modules.clone(),
        own: Offers::default(),
        imported: BTreeMap::new(),
    };
    let mut declared: Vec<(&Name, Entity)> = Vec::new();
    let imported = module.imports.iter().filter_map(|name| Some((name, *modules.get(name.text.as_str())?)));
    declared.extend(imported.map(|(name, index)| (name, Entity::Import(index))));
    declared.extend(module.constants.iter().map(|one| (&one.name, Entity::Constant)));
    declared.extend(module.records.iter().map(|one| (&one.name, Entity::Record)));
    declared.extend(module.sensors.iter().enumerate().map(|(index, one)| (&one.name, Entity::Sensor(index))));
    declared
        .extend(module.actuators.iter().enumerate().map(|(index, one)| (&one.name, Entity::Actuator(index))));
    declared.extend(module.tasks.iter().enumerate().map(|(index, one)| (&one.name, Entity::Task(index))));
    declared.extend(module.modes.iter().enumerate().map(|(index, one)| (&one.name, Entity::Mode(index))));
    declared.extend(module.drivers.iter().map(|name| (name, Entity::Driver)));
    declared.sort_by_key(|(name, _)| name.place);

    let home = format!("module `{}`", module.name.text);
    unique(declared.iter().map(|(name, _)| *name), "name", &home, reporter);
    for record in &module.records {
        let home = format!("struct `{}`", record.name.text);
        unique(record.fields.iter().map(|field| &field.name), "field", &home, reporter);
    }
    for task in &module.tasks {
        unique(
            task.ports.iter().map(|port| &port.name),
            "port",
            &format!("task `{}`", task.name.text),
            reporter,
        );
    }
    scope.names.extend(declared.into_iter().map(|(name, entity)| (name.text.as_str(), entity)));
    scope
}

fn import(name: &Name, modules: &BTreeMap<&str, usize>, reporter: &mut Reporter) -> Option<usize> {
    let found = modules.get(name.text.as_str()).copied();
    reporter.count(1);
    if found.is_none() {
        reporter.count(modules.len());
        let otherwise = "declare it in one of the system's files, or remove the import";
        reporter.report(Problem {
            code: code::UNKNOWN_MODULE,
            place: name.place,
            message: format!("no module of this system is called `{}`", name.text),
            label: "unknown module".to_owned(),
            help: suggestion::proposal(name, modules.keys().copied(), otherwise),
        });
    }
    found
}

/// Reports every name that was declared before.
fn unique<'a>(names: impl Iterator<Item = &'a Name>, what: &str, home: &str, reporter: &mut Reporter) {
    let mut first: BTreeMap<&str, Place> = BTreeMap::new();
    for name in names {
        reporter.count(1);
        let Some(&before) = first.get(name.text.as_str()) else {
            first.insert(&name.text, name.place);
            continue;
        };
        let problem = Problem {
            code: code::DUPLICATE_NAME,
            place: name.place,
            message: format!(
                "{what} `{}` is declared twice in {home}, so a use of it could mean either",
                name.text
            ),
            label: "declared again here".to_owned(),
            help: "rename or remove one of the two".into(),
        };
        reporter.report_with(problem, before, "first declared here");
    }
}

fn empty_system(reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::EMPTY_SYSTEM,
        place: Place { source: 0, offset: 0, length: 0 },
        message: "the timing program has no module, so there is nothing to run".to_owned(),
        label: "no module in here".to_owned(),
        help: Help::write(
            Place { source: 0, offset: 0, length: 0 },
            "module Name { start mode main [period = 20ms] { } }",
        ),
    });
}
