//! Writes the elements of the drawing as SVG.

use std::fmt::{self, Write};

/// A coordinate in tenths of a pixel, so that drawings are the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tenths(pub(super) usize);

impl Tenths {
    pub(super) const fn pixels(pixels: usize) -> Tenths {
        Tenths(pixels * 10)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 10 {
            0 => write!(formatter, "{}", self.0 / 10),
            tenth => write!(formatter, "{}.{tenth}", self.0 / 10),
        }
    }
}

/// Elements, collected until the height of the drawing is known.
#[derive(Debug, Default)]
pub(super) struct Document {
    body: String,
}

const STYLE: &str = include_str!("style.css");

/// Covers times for which notes were lost.
const HATCHING: &str = r#"<defs><pattern id="lost" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="2.5" height="7"/></pattern></defs>
"#;

/// The tips of arrows.
const TIP: &str = r#"<defs><marker id="woken" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto" markerUnits="userSpaceOnUse"><path class="tip" d="M0 0.5L8 4L0 7.5z"/></marker></defs>
"#;

/// Writing to a string can't fail.
macro_rules! put {
    ($document:expr, $($text:tt)*) => { let _ = writeln!($document.body, $($text)*); };
}

impl Document {
    /// A text at the left end of its base line, or the middle or right end if its class says so.
    pub(super) fn text(&mut self, class: &str, x: Tenths, y: usize, text: &str, title: Option<&str>) {
        let title = title.map(|title| format!("<title>{}</title>", escaped(title))).unwrap_or_default();
        put!(self, r#"<text class="{class}" x="{x}" y="{y}">{}{title}</text>"#, escaped(text));
    }

    pub(super) fn line(&mut self, class: &str, x1: Tenths, y1: usize, x2: Tenths, y2: usize) {
        put!(self, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(super) fn bar(
        &mut self,
        class: &str,
        x: Tenths,
        width: Tenths,
        y: usize,
        height: usize,
        title: &str,
    ) {
        let title = escaped(title);
        put!(
            self,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"><title>{title}</title></rect>"#
        );
    }

    /// An arrow standing on the lower edge of a row.
    pub(super) fn release(&mut self, x: Tenths, bottom: usize, title: &str) {
        let tip = bottom - 12;
        put!(
            self,
            r#"<path class="release" d="M{x} {tip}l5 9h-3.5v6h-3v-6h-3.5z"><title>{}</title></path>"#,
            escaped(title)
        );
    }

    /// An arrow hanging from the upper edge of a row.
    pub(super) fn deadline(&mut self, x: Tenths, top: usize, title: &str) {
        let tip = top + 12;
        put!(
            self,
            r#"<path class="deadline" d="M{x} {tip}l-5 -9h3.5v-6h3v6h3.5z"><title>{}</title></path>"#,
            escaped(title)
        );
    }

    /// A line along a path.
    pub(super) fn path(&mut self, class: &str, style: &str, path: &str, title: &str) {
        put!(
            self,
            r#"<path class="{class}" style="{style}" d="{path}"><title>{}</title></path>"#,
            escaped(title)
        );
    }

    /// A stroke at the end of a bar.
    pub(super) fn completion(&mut self, x: Tenths, top: usize, bottom: usize, title: &str) {
        put!(
            self,
            r#"<path class="completion" d="M{x} {top}V{bottom}"><title>{}</title></path>"#,
            escaped(title)
        );
    }

    /// An arrow from one row to another.
    pub(super) fn wake(&mut self, (x1, y1): (Tenths, usize), (x2, y2): (Tenths, usize), title: &str) {
        let title = escaped(title);
        put!(
            self,
            r#"<path class="wake" d="M{x1} {y1}L{x2} {y2}" marker-end="url(#woken)"><title>{title}</title></path>"#
        );
    }

    pub(super) fn driver(&mut self, x: Tenths, y: usize, title: &str) {
        put!(
            self,
            r#"<circle class="driver" cx="{x}" cy="{y}" r="4"><title>{}</title></circle>"#,
            escaped(title)
        );
    }

    /// A red stroke through a row, with a cross and a label beside it.
    pub(super) fn trouble(
        &mut self,
        x: Tenths,
        top: usize,
        bottom: usize,
        label: &str,
        left: bool,
        title: &str,
    ) {
        let (title, label) = (escaped(title), escaped(label));
        let cross = bottom - 13;
        let (class, beside) =
            if left { ("label end", Tenths(x.0.saturating_sub(60))) } else { ("label", Tenths(x.0 + 60)) };
        put!(self, r#"<g class="trouble"><title>{title}</title>"#);
        put!(self, r#"<path d="M{x} {top}V{bottom}"/>"#);
        put!(self, r#"<path class="cross" d="M{x} {cross}m-5 -5l10 10m0 -10l-10 10"/>"#);
        put!(self, r#"<text class="{class}" x="{beside}" y="{}">{label}</text></g>"#, top + 10);
    }

    /// The whole document.
    pub(super) fn finish(self, width: usize, height: usize, title: &str, window: &str) -> String {
        let (title, window) = (escaped(title), escaped(window));
        let hatching = if self.body.contains(r#"class="lost""#) { HATCHING } else { "" };
        let tip = if self.body.contains(r#"class="wake""#) { TIP } else { "" };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{title}, {window}</title>
<style>
{STYLE}</style>
{hatching}{tip}<rect class="ground" width="{width}" height="{height}"/>
<text class="title" x="20" y="36">{title}<tspan class="window" dx="14">{window}</tspan></text>
{body}</svg>
"#,
            body = self.body
        )
    }
}

/// Escapes a text for XML elements and attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML can't express these.
            control if control.is_control() || matches!(control, '\u{FFFE}' | '\u{FFFF}') => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
