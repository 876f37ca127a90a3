//! Compiles a world in C for this machine: the environment of simulations, which is no part of an image. It has all of this
//! machine's C library; only what compilers would choose about numbers is chosen as for functions of the system.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};

use super::{COMMON, Language, Machine, OF_C, compiler};
use crate::description::Problem;
use crate::emit::c::world::{DEFAULTS, HEADER, REQUIRED, files};
use crate::environment::is_in_c;
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::{Workshop, finish, replace, started};

/// The library with the world, without `lib` and ending.
pub const LIBRARY: &str = "system_world";

/// Compiles a project's world, if it is in C, and leaves a library for the system of a name; answers its folder.
///
/// # Errors
/// A compiler that isn't there, what it says about the source, and a world that lacks what each has.
pub fn library(project: &Project, workshop: &Workshop, name: &str) -> Result<Option<PathBuf>, BuildError> {
    let Some(named) = project.description.system.environment.as_ref().filter(|named| is_in_c(&named.value))
    else {
        return Ok(None);
    };
    workshop.write(name, &files(&project.assembly))?;
    let base = workshop.folder(name);
    let to = base.join("c/world");
    fs::create_dir_all(&to).map_err(|reason| BuildError::file("write", &to, reason))?;
    let (object, defaults) = (to.join("world.o"), to.join("defaults.o"));
    let world = Source { project, header: &base.join(HEADER), path: &project.folder.join(&named.value) };
    world.compile(&object)?;
    Source { path: &base.join(DEFAULTS), ..world }.compile(&defaults)?;
    check(project, &object)?;
    let (fresh, library) = (to.join("fresh.a"), to.join(format!("lib{LIBRARY}.a")));
    fs::remove_file(&fresh).ok();
    let mut archiver = Command::new(env::var_os("AR").unwrap_or_else(|| "ar".into()));
    archiver.arg("crsD").arg(&fresh).args([&object, &defaults]);
    finish("collecting the world in C", archiver)?;
    let bytes = fs::read(&fresh).map_err(|reason| BuildError::file("read", &fresh, reason))?;
    replace(&library, &bytes)?;
    Ok(Some(to))
}

/// A file of the world's.
struct Source<'a> {
    project: &'a Project,
    header: &'a Path,
    path: &'a Path,
}

impl Source<'_> {
    fn compile(&self, object: &Path) -> Result<(), BuildError> {
        let Source { project, header, path } = self;
        fs::metadata(path).map_err(|reason| BuildError::file("read", path, reason))?;
        let mut compiler = compiler(Machine::Host, &project.plan.board, Language::C);
        compiler.args(COMMON.iter().filter(|option| **option != "-ffreestanding")).args(OF_C);
        for include in &project.description.c.includes {
            compiler.arg("-I").arg(project.folder.join(&include.value));
        }
        compiler.args(project.description.c.defines.iter().map(|define| format!("-D{}", define.value)));
        compiler.arg("-include").arg(header).arg("-c").arg(path).arg("-o").arg(object);
        let output = started(&mut compiler)?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(BuildError::Compiler { what: format!("compiling {}", path.display()), said })
    }
}

/// A world has what each has.
fn check(project: &Project, object: &Path) -> Result<(), BuildError> {
    let bytes = fs::read(object).map_err(|reason| BuildError::file("read", object, reason))?;
    let Ok(file) = object::File::parse(bytes.as_slice()) else { return Ok(()) };
    // Where the machine's format puts a sign before each name.
    let names = file.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let names: Vec<_> =
        names.filter_map(|symbol| symbol.name().ok()).map(|name| name.trim_start_matches('_')).collect();
    let Some(lacking) = REQUIRED.iter().find(|name| !names.contains(name)) else { return Ok(()) };
    let named = project.description.system.environment.as_ref();
    let place = named.map_or((0, 0).into(), |named| named.place);
    Err(BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::function",
        place,
        message: format!("the world in C has no `{lacking}`"),
        label: "this world".to_owned(),
        help: "define it there, as `c/world.h` in the system's folder of `build` declares it".into(),
    })))
}
