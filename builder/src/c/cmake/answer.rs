//! What CMake answers of a project: its targets, and of which files each is made. As its file interface has it, in JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::MAP;
use crate::kernel_cache::{add, hexadecimal};

use super::options::{Options, Refused, is_reserved, options, words};

/// What is asked, each as an empty file in the folder where CMake configures.
pub(super) const QUESTIONS: [&str; 2] = [MODEL, READ];
/// Where.
pub(super) const ASKED: &str = ".cmake/api/v1/query";
const ANSWERS: &str = ".cmake/api/v1/reply";
/// Of what the project is made.
const MODEL: &str = "codemodel-v2";
/// What CMake has read.
const READ: &str = "cmakeFiles-v1";

/// A project as CMake knows it.
pub(super) struct Answer {
    /// Where the files are.
    source: PathBuf,
    targets: Vec<Value>,
    read: Vec<Value>,
}

/// A target, and those that it is linked with.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// Of which files it is made, its own ones first.
    pub files: Vec<File>,
    /// Whether something has to be made before these can be compiled.
    pub is_generated: bool,
}

/// A file of a target.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub path: PathBuf,
    /// As CMake calls it.
    pub language: String,
    /// Whether it is one of a library with which the target is linked.
    pub is_linked: bool,
    pub options: Result<Options, Refused>,
}

impl Answer {
    /// What CMake has left in a folder; nothing, if that can't be read.
    pub(super) fn read(folder: &Path) -> Option<Answer> {
        let answers = folder.join(ANSWERS);
        let names = fs::read_dir(&answers).ok()?.flatten().map(|entry| entry.file_name());
        // The newest one, by its name.
        let index = names.filter(|name| name.to_string_lossy().starts_with("index-")).max()?;
        let read = |name: &Path| serde_json::from_str(&fs::read_to_string(answers.join(name)).ok()?).ok();
        let index: Value = read(index.as_ref())?;
        let model: Value = read(file_of(&index["reply"][MODEL])?)?;
        let inputs: Value = read(file_of(&index["reply"][READ])?)?;
        let targets = model["configurations"].get(0)?["targets"].as_array()?;
        let targets: Option<Vec<Value>> = targets.iter().map(|target| read(file_of(target)?)).collect();
        Some(Answer {
            source: model["paths"]["source"].as_str()?.into(),
            targets: targets?,
            read: inputs["inputs"].as_array()?.clone(),
        })
    }

    /// What tells apart the texts of the project that CMake has read, as they are now.
    pub(super) fn fingerprint(&self) -> String {
        let own = self.read.iter().filter(|row| row["isCMake"] != true && row["isGenerated"] != true);
        let mut digest = Sha256::new();
        for path in own.filter_map(|row| row["path"].as_str()) {
            let content = fs::read(self.source.join(path)).unwrap_or_default();
            add(&mut digest, path, &content);
        }
        hexadecimal(digest)
    }

    /// The folder of the project.
    pub(super) fn source(&self) -> &Path {
        &self.source
    }

    /// The names of targets that have files.
    pub(super) fn names(&self) -> Vec<&str> {
        let with_files = self.targets.iter().filter(|target| has_code(target));
        with_files.filter_map(|target| target["name"].as_str()).collect()
    }

    /// Of what a target is made; nothing where there is none with files of that name.
    pub(super) fn made(&self, name: &str) -> Option<Made> {
        let first = self.targets.iter().find(|target| target["name"] == *name && has_code(target))?;
        let all = self.with_dependencies(first);
        let linked =
            all.iter().filter(|target| target["id"] == first["id"] || target["type"] != "EXECUTABLE");
        let files = linked.flat_map(|target| self.files(target, target["id"] != first["id"])).collect();
        Some(Made { files, is_generated: all.iter().any(|target| is_generated(target)) })
    }

    /// A target and all that it depends on, each once.
    fn with_dependencies<'a>(&'a self, first: &'a Value) -> Vec<&'a Value> {
        let mut all = vec![first];
        let mut at = 0;
        while let Some(target) = all.get(at) {
            let ids = target["dependencies"].as_array().into_iter().flatten().map(|row| &row["id"]);
            let targets = ids.filter_map(|id| self.targets.iter().find(|target| target["id"] == *id));
            let others: Vec<_> =
                targets.filter(|target| all.iter().all(|own| own["id"] != target["id"])).collect();
            all.extend(others);
            at += 1;
        }
        all
    }

    fn files(&self, target: &Value, is_linked: bool) -> Vec<File> {
        let file = |row: &Value| {
            let group = target["compileGroups"].get(number(&row["compileGroupIndex"])?)?;
            Some(File {
                path: self.source.join(row["path"].as_str()?),
                language: group["language"].as_str()?.to_owned(),
                is_linked,
                options: self.options(group),
            })
        };
        target["sources"].as_array().into_iter().flatten().filter_map(file).collect()
    }

    /// How the files of a group are compiled.
    fn options(&self, group: &Value) -> Result<Options, Refused> {
        let each = |key: &str| group[key].as_array().cloned().unwrap_or_default();
        let mut all = Vec::new();
        for row in each("includes") {
            let option = if row["isSystem"] == true { "-isystem" } else { "-I" };
            all.extend([option.to_owned(), text(&row["path"])]);
        }
        for row in each("defines") {
            let define = text(&row["define"]);
            if is_reserved("-D", &define) {
                return options([format!("-D{define}")]);
            }
            all.extend(["-D".to_owned(), define]);
        }
        for row in each("precompileHeaders") {
            let header = text(&row["header"]).trim_matches(['<', '>', '"']).to_owned();
            all.extend(["-include".to_owned(), header]);
        }
        let pieces = each("compileCommandFragments");
        let more =
            options(pieces.iter().flat_map(|piece| words(piece["fragment"].as_str().unwrap_or_default())))?;
        // Where a project's files are is no part of what is made of them.
        let map = format!("{MAP}{}=cmake", self.source.display());
        Ok(Options { passed: [map].into_iter().chain(all).chain(more.passed).collect(), ..more })
    }
}

fn file_of(row: &Value) -> Option<&Path> {
    row["jsonFile"].as_str().map(Path::new)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| number.try_into().ok())
}

fn has_code(target: &Value) -> bool {
    target["type"] != "INTERFACE_LIBRARY"
        && target["compileGroups"].as_array().is_some_and(|all| !all.is_empty())
}

/// Whether a target makes texts: files that are generated, but objects of other targets, which are compiled here; or whatever a custom target
/// does.
fn is_generated(target: &Value) -> bool {
    let is_object = |path: &str| path.ends_with(".o") || path.ends_with(".obj");
    let mut sources = target["sources"].as_array().into_iter().flatten();
    target["type"] == "UTILITY"
        || sources.any(|row| row["isGenerated"] == true && !row["path"].as_str().is_some_and(is_object))
}
