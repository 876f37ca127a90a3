//! The files in C of a system: those that its description names, those of a CMake target, and those that the builder carries.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::Sha256;

use super::cmake::{self, MAP, OfTarget};
use super::{Language, Machine, cmsis, library};
use crate::error::BuildError;
use crate::kernel_cache::add;
use crate::project::Project;
use crate::workshop::Workshop;

/// A file that is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// As messages name it: as the description does, if it does.
    pub name: String,
    /// Whether its functions need no prototypes.
    pub is_ported: bool,
    pub(super) language: Language,
    /// What a CMake target says of it.
    pub(super) own: Option<Own>,
}

/// How a CMake target has a file compiled.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub options: Vec<String>,
    pub standard: Option<String>,
}

/// Whether a project has files in C: of a system with several kernels, only one has.
pub(super) fn are_here(project: &Project) -> bool {
    let is_elsewhere = project.description.is_part && project.assembly.in_c.is_empty();
    project.description.c.place().is_some() && !is_elsewhere
}

/// The application's files for a machine, in the order in which they are linked.
///
/// # Errors
/// What CMake, or the builder, has against a target.
pub(crate) fn sources(
    project: &Project,
    workshop: &Workshop,
    machine: Machine,
) -> Result<Vec<Source>, BuildError> {
    if !are_here(project) {
        return Ok(Vec::new());
    }
    let folder =
        project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))?;
    let named = project.description.c.files().map(|(file, is_ported)| Source {
        path: folder.join(&file.value),
        name: file.value.clone(),
        is_ported,
        language: Language::of(&file.value),
        own: None,
    });
    let mut all: Vec<_> = named.collect();
    for file in cmake::files(project, workshop, machine)? {
        let OfTarget { path, name, language, is_linked, options, standard } = file;
        let own = Some(Own { options, standard });
        // Where the description names it, too, it says how it is looked at.
        match all.iter_mut().find(|source| is_same(&source.path, &path)) {
            Some(source) if source.own.is_some() => {}
            Some(source) => *source = Source { language, own, ..source.clone() },
            None => all.push(Source { path, name, is_ported: is_linked, language, own }),
        }
    }
    Ok(all)
}

/// Adds a CMake target to what tells code apart: its files, how they are compiled, and the headers in its folders.
///
/// # Errors
/// As [`sources`], and a file that can't be read.
pub(crate) fn add_target(
    digest: &mut Sha256,
    project: &Project,
    workshop: &Workshop,
) -> Result<(), BuildError> {
    if project.description.c.cmake.is_none() {
        return Ok(());
    }
    let mut headers = BTreeSet::new();
    for Source { path, name, own, .. } in sources(project, workshop, Machine::Host)? {
        let Some(Own { options, standard }) = own else { continue };
        let words = options.iter().filter(|word| !word.starts_with(MAP)).chain(&standard);
        let (folders, words): (Vec<_>, Vec<_>) = words.partition(|word| Path::new(word).is_dir());
        folders.into_iter().for_each(|folder| add_headers(folder.as_ref(), &mut headers, 0));
        let content = fs::read(&path).map_err(|reason| BuildError::file("read", &path, reason))?;
        words.into_iter().for_each(|word| add(digest, word, &[]));
        add(digest, &name, &content);
    }
    for header in headers {
        let content = fs::read(&header).map_err(|reason| BuildError::file("read", &header, reason))?;
        add(digest, "", &content);
    }
    Ok(())
}

/// The headers in a folder. Nobody nests them deeper.
fn add_headers(folder: &Path, headers: &mut BTreeSet<PathBuf>, depth: usize) {
    const DEEPEST: usize = 16;
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let ending = path.extension().unwrap_or_default();
        if path.is_dir() && depth < DEEPEST {
            add_headers(&path, headers, depth + 1);
        } else if ["h", "hh", "hpp", "hxx", "inc", "inl"].iter().any(|known| ending == *known) {
            headers.insert(path);
        }
    }
}

/// The builder's own files, where they are written.
pub(super) fn carried(project: &Project, base: &Path) -> Vec<Source> {
    let of_cmsis = project.description.cmsis.iter().flat_map(|_| cmsis::sources());
    let of_cmsis = of_cmsis.map(|name| (base.join(cmsis::FOLDER).join(name), name));
    let numbers = project.description.c.library.map(|_| (base.join(library::NUMBERS.0), library::NUMBERS.0));
    let source = |(path, name): (PathBuf, &str)| Source {
        path,
        name: name.to_owned(),
        is_ported: false,
        language: Language::C,
        own: None,
    };
    of_cmsis.chain(numbers).map(source).collect()
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
