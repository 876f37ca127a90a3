//! Curves as SVG: a plot for each unit, one below the other over the same time, with all curves of the unit in it.

use super::document::{Document, Tenths};
use super::{COLOURS, RIGHT, TOP, WIDTH, shortened};
use crate::clock::LogicalInstant;
use crate::curve::{Curve, Seen, position};
use crate::timeline::ruler::Scale;

/// Where the time axis begins.
const LEFT: usize = 330;
/// The height of a plot, and of a line about a curve beside it.
const PLOT: usize = 150;
const LINE: usize = 18;
const BETWEEN: usize = 26;

/// The curves of a window as an SVG document.
#[must_use]
pub fn render(curves: &[Curve], (from, to): (LogicalInstant, LogicalInstant), title: &str) -> String {
    let mut drawing = Drawing {
        document: Document::default(),
        scale: Scale::new(from, to, (WIDTH - RIGHT - LEFT) * 10),
        from,
        to,
    };
    let mut units: Vec<Option<&str>> = Vec::new();
    curves.iter().map(|curve| curve.unit.as_deref()).for_each(|unit| {
        if !units.contains(&unit) {
            units.push(unit);
        }
    });
    let plots: Vec<(Option<&str>, Vec<&Curve>)> = units
        .into_iter()
        .map(|unit| (unit, curves.iter().filter(|curve| curve.unit.as_deref() == unit).collect()))
        .collect();
    let height = |own: &[&Curve]| PLOT.max(own.len() * LINE + LINE) + BETWEEN;
    let bottom = TOP + plots.iter().map(|(_, own)| height(own)).sum::<usize>();
    let unit = drawing.grid(bottom);
    let mut y = TOP;
    for (of, own) in &plots {
        drawing.plot(of.unwrap_or(""), own, y);
        y += height(own);
    }
    let window = format!("{} to {} {}", unit.number(from), unit.number(to), unit.name());
    drawing.document.finish(WIDTH, bottom + 10, title, &window)
}

struct Drawing {
    document: Document,
    scale: Scale,
    from: LogicalInstant,
    to: LogicalInstant,
}

impl Drawing {
    fn grid(&mut self, bottom: usize) -> crate::timeline::ruler::Unit {
        let (unit, ticks) = self.scale.ticks(700, 80);
        self.document.text("unit", Tenths::pixels(LEFT - 12), TOP - 14, unit.name(), None);
        for (at, label) in ticks {
            let x = Tenths(LEFT * 10 + self.scale.position(at));
            self.document.line("grid", x, TOP - 8, x, bottom);
            self.document.text("tick", x, TOP - 14, &label, None);
        }
        unit
    }

    fn plot(&mut self, unit: &str, curves: &[&Curve], top: usize) {
        let seen: Vec<Seen> = curves.iter().filter_map(|curve| curve.seen(self.from, self.to)).collect();
        let least =
            seen.iter().map(|seen| seen.least).min_by(|one, other| one.value().total_cmp(&other.value()));
        let most =
            seen.iter().map(|seen| seen.most).max_by(|one, other| one.value().total_cmp(&other.value()));
        let (Some(least), Some(most)) = (least, most) else { return };
        self.document.line("rule", Tenths::pixels(20), top, Tenths::pixels(WIDTH - RIGHT), top);
        self.document.text("unit", Tenths::pixels(LEFT - 12), top + 18, &format!("{most} {unit}"), None);
        if least != most {
            self.document.text(
                "unit",
                Tenths::pixels(LEFT - 12),
                top + PLOT,
                &format!("{least} {unit}"),
                None,
            );
        }
        for (index, curve) in curves.iter().enumerate() {
            let class = format!("c{}", index % COLOURS);
            let dash = if curve.is_beside { ";stroke-dasharray:7 4" } else { "" };
            let range = (least.value(), most.value());
            let path = self.path(curve, range, top + 14);
            self.document.path(&class, &format!("fill:none;stroke-width:1.6{dash}"), &path, &curve.title());
            let y = top + LINE * (index + 1);
            self.document.bar(&class, Tenths::pixels(24), Tenths::pixels(9), y - 9, 9, &curve.title());
            let room = (LEFT - 150) / 7;
            self.document.text(
                "name",
                Tenths::pixels(40),
                y,
                &shortened(&curve.name, room, '…'),
                Some(&curve.title()),
            );
        }
    }

    /// Steps; where several values come within a pixel, from the least of them to the greatest.
    fn path(&self, curve: &Curve, range: (f64, f64), top: usize) -> String {
        let mut path = String::new();
        let steps = curve.within(self.from, self.to);
        let x = |at: LogicalInstant| LEFT * 10 + self.scale.position(at);
        let y = |value: f64| Tenths((top + PLOT - 20) * 10 - position(value, range, (PLOT - 20) * 10));
        for together in steps.chunk_by(|one, other| x(one.at) / 10 == x(other.at) / 10) {
            let [Some(first), Some(last)] = [together.first(), together.last()] else { continue };
            let start = Tenths(x(first.at));
            path += &match path.is_empty() {
                true => format!("M{start} {}", y(first.number.value())),
                false => format!("H{start}V{}", y(first.number.value())),
            };
            if together.len() > 1 {
                let values = || together.iter().map(|step| step.number.value());
                let (least, most) =
                    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
                path +=
                    &format!("V{}V{}H{}V{}", y(least), y(most), Tenths(x(last.at)), y(last.number.value()));
            }
        }
        path + &format!("H{}", Tenths(x(curve.end.min(self.to))))
    }
}
