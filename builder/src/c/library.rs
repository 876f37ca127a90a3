//! The C library of processes: picolibc on boards, this machine's in the simulation. Both do what the standard says, so
//! code may use what the standard leaves no choice in, and nothing else: such functions are listed, and all others refused by
//! name, in both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};

use super::formats;
use crate::error::BuildError;

/// What has the headers and the functions on the board, as its compiler is told.
pub(super) const SPECS: &str = "--specs=picolibc.specs";

/// The headers shall declare what the standard of POSIX has, too.
pub(super) const ALL_DECLARED: &str = "-D_DEFAULT_SOURCE";

/// Functions that have the same values on all machines. Of comparisons that is the sign.
const SAME: &[&str] = &[
    // <string.h>, <strings.h>
    "memccpy",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strtok_r",
    // <ctype.h>
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    // <stdlib.h>
    "abs",
    "bsearch",
    "div",
    "labs",
    "ldiv",
    "llabs",
    "lldiv",
    // <stdio.h>
    "snprintf",
    "sprintf",
    "sscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
];

/// Functions that the builder has instead of the library's: theirs set `errno`, for which threads have no places, and depend on how wide a
/// `long` is.
const OWN: [&str; 7] = ["atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull"];

/// Where they are, in the system's folder, and their text.
pub(super) const NUMBERS: (&str, &str) = ("c/library/numbers.c", include_str!("library/numbers.c"));

/// What the compiler is told of them: whoever calls one calls the builder's.
pub(super) fn own() -> impl Iterator<Item = String> {
    OWN.iter().map(|name| format!("-D{name}=beryl_{name}"))
}

/// What a compiler may call by itself, and every process has.
const ALWAYS: [&str; 4] = ["memcmp", "memcpy", "memmove", "memset"];

/// Functions of the library that aren't for processes, with what is instead.
const OTHERS: [(&[&str], &str); 10] = [
    (
        &["new", "delete", "__cxa_atexit"],
        "memory is given at build time: declare a variable, whose constructor is `constexpr`, and no destructor",
    ),
    (
        &["malloc", "calloc", "realloc", "free", "strdup", "strndup", "aligned_alloc"],
        "memory is given at build time: declare an array, or take blocks from a memory pool of CMSIS-RTOS2",
    ),
    (
        &[
            "printf", "vprintf", "puts", "putchar", "fputs", "fputc", "putc", "fprintf", "vfprintf",
            "fwrite", "stdout", "stderr",
        ],
        "write into an array with `snprintf`, and print that with `beryl_print`",
    ),
    (
        &["getchar", "fgets", "fgetc", "getc", "scanf", "fscanf", "fread", "fopen", "fclose", "stdin"],
        "there are no files; `beryl_console_receive` has what came at the console",
    ),
    (
        &["atof", "strtod", "strtof", "errno", "strerror", "perror"],
        "threads have no places for `errno`; `strtol` and its like read whole numbers, and leave it alone",
    ),
    (&["strtok"], "it keeps its place for all threads together; `strtok_r` keeps it where its caller says"),
    (
        &["qsort"],
        "how elements lie that compare equal, and how often is compared, differs between libraries; write the sort that is meant",
    ),
    (
        &["rand", "srand", "rand_r", "random", "srandom", "drand48"],
        "their numbers differ between libraries; write the generator that is meant",
    ),
    (
        &["time", "clock", "gettimeofday", "clock_gettime", "sleep", "usleep", "nanosleep"],
        "`beryl_time` and `beryl_sleep` have the system's time",
    ),
    (
        &["exit", "abort", "_exit", "__assert_fail", "__assert_func", "assert"],
        "`beryl_stop` stops the thread",
    ),
];

/// The beginnings of what compilers name by themselves, or libraries in front of a function's name.
const RESERVED: &str = "_";
const IN_FRONT: [&str; 2] = ["__isoc99_", "__isoc23_"];

/// A file that was compiled.
pub(super) struct Compiled<'a> {
    /// Its name.
    pub source: &'a str,
    /// What came out.
    pub object: &'a [u8],
}

/// What of the C library a system may use, and who else defines functions.
pub(super) struct Check<'a> {
    /// Whether the description asks for the library.
    pub has_library: bool,
    /// Whether all functions are in C: then what is defined nowhere here is the library's.
    pub all_in_c: bool,
    /// The headers that the builder wrote.
    pub headers: &'a [&'a str],
}

impl Check<'_> {
    /// Refuses files that use what isn't there, or isn't the same on all machines.
    ///
    /// # Errors
    /// The first file, what it uses, and what is instead.
    pub(super) fn run(&self, files: &[Compiled<'_>]) -> Result<(), BuildError> {
        let read: Vec<_> =
            files.iter().filter_map(|file| Some((file, object::File::parse(file.object).ok()?))).collect();
        let defined: BTreeSet<&str> = read
            .iter()
            .flat_map(|(_, object)| object.symbols())
            .filter(|symbol| symbol.is_definition() && symbol.is_global())
            .filter_map(|symbol| symbol.name().ok())
            .collect();
        for (file, object) in &read {
            let used: Vec<_> = object
                .symbols()
                .filter(|symbol| symbol.is_undefined())
                .filter_map(|symbol| symbol.name().ok())
                .filter(|name| !name.is_empty() && !defined.contains(name))
                .map(plain)
                .collect();
            for name in &used {
                self.one(file.source, name)?;
            }
            formats::check(file.source, &used, object)?;
        }
        Ok(())
    }

    fn one(&self, source: &str, name: &str) -> Result<(), BuildError> {
        let is_same = SAME.contains(&name);
        if ALWAYS.contains(&name) || (is_same && self.has_library) {
            return Ok(());
        }
        let refused = |message: String, proposal: String| Err(BuildError::Limit { message, proposal });
        let is_own = OWN.contains(&name);
        // Headers may give it another name for the linker, as those of glibc do in C23.
        if is_own && self.has_library {
            return refused(
                format!("`{name}`, which {source} calls, is the C library's here, and not the builder's"),
                format!("declare it as `<stdlib.h>` does in C17, or call `beryl_{name}`"),
            );
        }
        if is_same || is_own {
            return refused(
                format!("`{name}`, which {source} calls, is the C library's, and this system has none"),
                "say `library = \"picolibc\"` in [c]".to_owned(),
            );
        }
        if let Some((_, instead)) = OTHERS.iter().find(|(names, _)| names.contains(&name)) {
            return refused(
                format!("`{name}`, which {source} uses, isn't for processes"),
                (*instead).to_owned(),
            );
        }
        let own = format!("beryl_{name}");
        if self.declares(&own) {
            let message = format!(
                "`{name}`, which {source} calls, may have other values on the board than in the simulation"
            );
            return refused(message, format!("`{own}` has the same bits everywhere"));
        }
        if !self.all_in_c || name.starts_with(RESERVED) || self.declares(name) {
            return Ok(());
        }
        refused(
            format!(
                "`{name}`, which {source} uses, is neither in the files of [c] nor one of the C library's functions that have the same \
                 values on all machines"
            ),
            "add the file that defines it to `sources`, or write it; docs/reference/system-description.md lists those functions".to_owned(),
        )
    }

    /// Whether a header of the builder's has a name.
    fn declares(&self, name: &str) -> bool {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        self.headers.iter().any(|header| header.split(|letter| !is_of_name(letter)).any(|word| word == name))
    }
}

/// A function by the name that the standard has for it.
fn plain(name: &str) -> &str {
    match name {
        "__errno_location" => "errno",
        // As C++ writes their names.
        _ if name.starts_with("_Znw") || name.starts_with("_Zna") => "new",
        _ if name.starts_with("_Zdl") || name.starts_with("_Zda") => "delete",
        _ => IN_FRONT.iter().find_map(|front| name.strip_prefix(front)).unwrap_or(name),
    }
}

/// What the linker is given for a processor: the library's functions, and those that the compiler calls in them.
///
/// # Errors
/// A compiler or a library that isn't there, with what installs it.
pub(super) fn archives(mut compiler: Command, package: &str) -> Result<Vec<PathBuf>, BuildError> {
    // It says how it would link, and does nothing.
    compiler.args([SPECS, "-###", "nothing.o"]);
    let absent = || BuildError::Limit {
        message: "`library = \"picolibc\"` in [c]: there is no picolibc for the board's processor".to_owned(),
        proposal: format!("./x setup installs it, or `apt-get install {package}`"),
    };
    let output = compiler.output().map_err(|_| absent())?;
    let said = String::from_utf8_lossy(&output.stderr);
    let folders = said.split_whitespace().filter_map(|word| word.trim_matches('"').strip_prefix("-L"));
    let folders: Vec<_> = folders.map(Path::new).collect();
    let first = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| path.exists());
    ["libc.a", "libgcc.a"].map(|name| first(name).ok_or_else(absent)).into_iter().collect()
}

#[cfg(test)]
mod tests;
