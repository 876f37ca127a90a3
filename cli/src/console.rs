//! The console: results to standard output, progress and diagnostics to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use beryl_builder::BuildError;
use beryl_trace::timeline::terminal;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, JSONReportHandler};

use crate::Colour;

/// How to show results.
pub struct Console {
    colour: bool,
    json: bool,
    /// Why a result couldn't be written.
    lost: OnceLock<io::Error>,
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The system, the tools or the files.
    Build(Box<BuildError>),
    /// Anything else, with its causes.
    Other(anyhow::Error),
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        Failure::Build(Box::new(error))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Other(error)
    }
}

/// Everything succeeded.
pub const WELL: u8 = 0;
/// Refused, failed, or different.
pub const REFUSED: u8 = 1;
/// A tool is missing.
pub const NOT_RUN: u8 = 3;

impl Console {
    /// A console for this process.
    pub fn new(colour: Colour, json: bool) -> Console {
        let terminal =
            io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colour = !json
            && match colour {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => terminal,
            };
        Console { colour, json, lost: OnceLock::new() }
    }

    /// How timelines are drawn here.
    pub fn drawing(&self) -> terminal::Options {
        terminal::Options { width: self.width(), ascii: false, colour: self.colour }
    }

    /// The width of the terminal, or a default.
    pub fn width(&self) -> usize {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        columns.unwrap_or(100_usize).clamp(60, 1000)
    }

    /// Prints a result for people.
    pub fn say(&self, text: impl Display) {
        if !self.json {
            self.write(text);
        }
    }

    /// Writes a line. A reader that has gone away is no failure; any other error is reported at the end.
    fn write(&self, text: impl Display) {
        if let Err(reason) = writeln!(io::stdout(), "{text}").and_then(|()| io::stdout().flush())
            && reason.kind() != io::ErrorKind::BrokenPipe
        {
            let _ = self.lost.set(reason);
        }
    }

    /// The exit code of a command that ended with `code`: a failure if results were lost.
    pub fn end(&self, code: ExitCode) -> ExitCode {
        let Some(reason) = self.lost.get() else { return code };
        let _ = writeln!(
            io::stderr(),
            "error: the results couldn't be written: {reason}; they are incomplete, so make room, or write them elsewhere"
        );
        ExitCode::from(REFUSED)
    }

    /// Prints a heading.
    pub fn title(&self, text: impl Display) {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
        match self.colour {
            true => self.say(format_args!("\n{style}{text}{style:#}")),
            false => self.say(format_args!("\n{text}")),
        }
    }

    /// Prints a result for machines.
    pub fn object(&self, value: &serde_json::Value) {
        if self.json {
            self.write(value);
        }
    }

    /// Whether results are for machines.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether to use colours.
    pub fn is_coloured(&self) -> bool {
        self.colour
    }

    /// Warns of something that doesn't stop the command.
    pub fn warn(&self, text: impl Display) {
        if self.json {
            self.object(&serde_json::json!({ "severity": "warning", "message": text.to_string() }));
        } else {
            let _ = writeln!(io::stderr(), "warning: {text}");
        }
    }

    /// Reports progress.
    pub fn step(&self, text: impl Display) {
        if !self.json {
            let _ = writeln!(io::stderr(), "  {text} ...");
        }
    }

    /// Reports a failure; returns the exit code.
    pub fn fail(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Build(error) => {
                self.said_by_a_compiler(error);
                self.report(error.as_ref());
                let missing = matches!(error.as_ref(), BuildError::Tool { .. });
                ExitCode::from(if missing { NOT_RUN } else { REFUSED })
            }
            Failure::Other(error) => {
                if self.json {
                    self.object(&serde_json::json!({ "severity": "error", "message": format!("{error:#}") }));
                } else {
                    let _ = writeln!(io::stderr(), "error: {error:#}");
                }
                ExitCode::from(REFUSED)
            }
        }
    }

    /// Shows a compiler's words as it put them.
    fn said_by_a_compiler(&self, error: &BuildError) {
        let BuildError::Compiler { what, said } = error else { return };
        let _ = match self.json {
            true => writeln!(io::stdout(), "{}", serde_json::json!({ "what": what, "compiler": said })),
            false => writeln!(io::stderr(), "{}", said.trim_end()),
        };
    }

    /// Shows a diagnostic with its source line.
    pub fn report(&self, diagnostic: &dyn Diagnostic) {
        let mut text = String::new();
        let rendered = match self.json {
            true => JSONReportHandler::new().render_report(&mut text, diagnostic),
            false => {
                let theme =
                    if self.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
                GraphicalReportHandler::new_themed(theme)
                    .with_width(self.width())
                    .render_report(&mut text, diagnostic)
            }
        };
        if rendered.is_err() {
            text = diagnostic.to_string();
        }
        let _ = match self.json {
            true => writeln!(io::stdout(), "{text}"),
            false => writeln!(io::stderr(), "{text}"),
        };
    }
}
