//! What the files of a system say, parsed one by one: the description, the timing program, other programs of modules.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_timing::{Model, Source};

use crate::assembly::Links;
use crate::assembly::Other;
use crate::board::Board;
use crate::crossing::{Part, Whole};
use crate::description::{self, Description, Outputs, Placed, Problem};
use crate::error::BuildError;

/// What is changed of a description for an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// When outputs become visible, if not when the description says.
    pub outputs: Option<Outputs>,
    /// The board, if not the one that the description names.
    pub board: Option<&'static Board>,
    /// Which node, of a system that has some.
    pub node: Option<&'static str>,
}

/// What the files of a system say, before it is joined.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The system's folder.
    pub folder: PathBuf,
    /// The system description.
    pub description: Description,
    /// The timing program.
    pub model: Model,
    /// Other programs of modules.
    pub others: Vec<Other>,
    /// What it has to do with other nodes.
    pub links: Links,
}

impl Parsed {
    /// Reads the files of the system in `folder`.
    ///
    /// # Errors
    /// What can be wrong with each of them.
    pub fn read(folder: &Path, variant: Variant) -> Result<Parsed, BuildError> {
        let path = Parsed::path(folder)?;
        let mut description = Description::load_for(&path, variant.board)?;
        if let Some(outputs) = variant.outputs {
            description.system.outputs = outputs;
        }
        if !description.nodes.is_empty() {
            let sources = sources(folder, &description)?;
            let whole = Whole::of(description, compiled(&sources)?)?;
            let node = whole.chosen(variant.node)?;
            return Ok(Parsed::part(folder, whole.part(node, variant.board)?));
        }
        if let Some(node) = variant.node {
            return Err(without_nodes(&description, node));
        }
        let sources = sources(folder, &description)?;
        Parsed::of(folder, description, &sources)
    }

    /// The description's file.
    ///
    /// # Errors
    /// The folder isn't that of a system.
    pub(crate) fn path(folder: &Path) -> Result<PathBuf, BuildError> {
        let path = folder.join("beryl.toml");
        let refuse = |reason| Err(BuildError::NoSystem { path: folder.to_owned(), reason });
        if folder.is_file() {
            return refuse("is a file");
        }
        if !folder.is_dir() {
            return refuse("doesn't exist");
        }
        if !path.is_file() {
            return refuse("holds no beryl.toml");
        }
        Ok(path)
    }

    /// The part of a system in `folder` that is on one node.
    pub(crate) fn part(folder: &Path, part: Part) -> Parsed {
        let Part { description, model, links } = part;
        Parsed { folder: folder.to_owned(), description, model, others: Vec::new(), links }
    }

    /// A description and a timing program that have been read; `folder` is where other files are that the
    /// description names.
    ///
    /// # Errors
    /// Everything that can be wrong with them.
    pub fn of(folder: &Path, description: Description, sources: &[Source]) -> Result<Parsed, BuildError> {
        let model = compiled(sources)?;
        let others = others(folder, &description, sources, &model)?;
        Ok(Parsed { folder: folder.to_owned(), description, model, others, links: Links::default() })
    }
}

/// A node is asked for where there are none.
fn without_nodes(description: &Description, node: &str) -> BuildError {
    BuildError::Description(description.alone(Problem {
        code: description::code::UNKNOWN_NAME,
        place: description.system.name.place,
        message: format!("this system has no nodes, so `{node}` is none of them"),
        label: "on one machine".to_owned(),
        help: "leave `--node` out, or add [node.NAME] and `node = \"NAME\"` to each process".into(),
    }))
}

/// A system without a timing program has threads only.
pub(crate) fn compiled(sources: &[Source]) -> Result<Model, BuildError> {
    if sources.is_empty() {
        return Ok(Model::empty());
    }
    Ok(beryl_timing::compile(sources)?)
}

/// The texts of the timing program.
pub(crate) fn sources(folder: &Path, description: &Description) -> Result<Vec<Source>, BuildError> {
    let help = "`timing` in [system] names files of UTF-8 text, in the folder of this one";
    description.system.timing.iter().map(|name| source(folder, description, name, help)).collect()
}

fn source(
    folder: &Path,
    description: &Description,
    name: &Placed<String>,
    help: &str,
) -> Result<Source, BuildError> {
    let path = folder.join(&name.value);
    let unreadable = |reason: std::io::Error| Problem {
        code: description::code::UNREADABLE,
        place: name.place,
        message: format!("the timing program {} can't be read: {reason}", path.display()),
        label: "this file".to_owned(),
        help: help.into(),
    };
    let text = fs::read_to_string(&path).map_err(|reason| {
        let alone = description.diagnostic(unreadable(reason));
        BuildError::Description(description::Diagnostics::one("in the system description", alone))
    })?;
    Ok(Source { name: path.display().to_string(), text })
}

/// The other programs of modules with slots, each compiled in place of the text with the module.
fn others(
    folder: &Path,
    description: &Description,
    sources: &[Source],
    model: &Model,
) -> Result<Vec<Other>, BuildError> {
    let help = "`programs` of a slot names files of UTF-8 text, in the folder of this one";
    let mut others = Vec::new();
    for (index, slot) in description.objects.slots.iter().enumerate() {
        let module = model.modules.iter().find(|module| module.name == slot.name.value);
        for name in &slot.programs {
            let other = source(folder, description, name, help)?;
            let mut sources = sources.to_vec();
            match module.and_then(|module| sources.get_mut(module.place.source)) {
                Some(place) => *place = other,
                None => sources.push(other),
            }
            let model = beryl_timing::compile(&sources)?;
            others.push(Other { slot: index, file: name.value.clone(), model });
        }
    }
    Ok(others)
}
