//! What the keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::lane::{Kind, Lane};
use super::model::Model;
use super::view::View;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The user quits.
    Quit,
    /// The user stays.
    Stay,
}

const HELP: [&str; 14] = [
    "← →      move the cursor; with Shift, eight columns at a time",
    "↑ ↓      select a lane",
    "+ -      zoom around the cursor",
    "0        the whole run",
    "[ ]      previous, next job of the lane",
    "p n      previous, next trouble",
    "S s      what the lane's thread said before, says next",
    "/        search: a thread, 20ms, thread@20ms",
    "Enter    why the lane's job at the cursor was late or early",
    "m o l i  show or hide modes, ports (outputs), locks, interrupts",
    "f        follow the end of the file",
    "?        this",
    "Escape   close",
    "q        quit",
];

/// Carries out a key press.
pub fn press(view: &mut View, model: &mut Model, key: KeyEvent) -> Answer {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Answer::Quit } else { Answer::Stay };
    }
    view.said = None;
    match (view.typed.take(), view.panel.take()) {
        (Some(typed), _) => write(view, model, key.code, typed),
        (None, Some(panel)) => leaf(view, key.code, panel),
        (None, None) => return look(view, model, key),
    }
    Answer::Stay
}

/// A key while text is being entered.
fn write(view: &mut View, model: &Model, code: KeyCode, mut typed: String) {
    match code {
        KeyCode::Enter => return view.search(model, typed.trim()),
        KeyCode::Esc => return,
        KeyCode::Backspace => {
            typed.pop();
        }
        KeyCode::Char(character) => typed.push(character),
        _ => {}
    }
    view.typed = Some(typed);
}

/// A key while the panel is open.
fn leaf(view: &mut View, code: KeyCode, (lines, first): (Vec<String>, usize)) {
    let last = lines.len().saturating_sub(1);
    let first = match code {
        KeyCode::Up => first.saturating_sub(1),
        KeyCode::Down => (first + 1).min(last),
        KeyCode::PageUp => first.saturating_sub(10),
        KeyCode::PageDown => (first + 10).min(last),
        _ => return,
    };
    view.panel = Some((lines, first));
}

/// A key while the timeline is in view.
fn look(view: &mut View, model: &mut Model, key: KeyEvent) -> Answer {
    let stride = if key.modifiers.contains(KeyModifiers::SHIFT) { 8 } else { 1 };
    match key.code {
        KeyCode::Char('q') => return Answer::Quit,
        KeyCode::Left => view.move_by(model, -stride),
        KeyCode::Right => view.move_by(model, stride),
        KeyCode::Up => view.select(model, view.lane.saturating_sub(1)),
        KeyCode::Down => view.select(model, view.lane + 1),
        KeyCode::PageUp => view.select(model, view.lane.saturating_sub(10)),
        KeyCode::PageDown => view.select(model, view.lane + 10),
        KeyCode::Char('+' | '=') => view.zoom(model, true),
        KeyCode::Char('-') => view.zoom(model, false),
        KeyCode::Char('0') => view.whole(model),
        KeyCode::Home => view.go_to(model, model.span.0),
        KeyCode::End => view.go_to_end(model),
        KeyCode::Char('[') => view.go_to_job(model, false),
        KeyCode::Char(']') => view.go_to_job(model, true),
        KeyCode::Char('p') => view.go_to_trouble(model, false),
        KeyCode::Char('n') => view.go_to_trouble(model, true),
        KeyCode::Char('S') => view.go_to_said(model, false),
        KeyCode::Char('s') => view.go_to_said(model, true),
        KeyCode::Char('/') => view.typed = Some(String::new()),
        KeyCode::Enter => view.ask_why(model),
        KeyCode::Char(key @ ('m' | 'o' | 'l' | 'i')) => choose(view, model, key),
        KeyCode::Char('f') => view.follows = !view.follows,
        KeyCode::Char('?') => view.panel = Some((HELP.map(str::to_owned).to_vec(), 0)),
        _ => {}
    }
    Answer::Stay
}

/// Shows or hides lanes of a kind; the selected lane stays selected if it is still there.
fn choose(view: &mut View, model: &mut Model, key: char) {
    let Some((kind, _, called)) = Kind::CHOSEN.into_iter().find(|(_, own, _)| *own == key) else { return };
    let selected = model.lanes.get(view.lane).map(|lane| (lane.kind, lane.name.clone()));
    view.said = Some(match model.toggle(kind) {
        None => format!("the trace tells nothing of {called}"),
        Some(true) => format!("with {called}"),
        Some(false) => format!("without {called}"),
    });
    let is_selected =
        |lane: &Lane| selected.as_ref().is_some_and(|own| *own == (lane.kind, lane.name.clone()));
    let found = model.lanes.iter().position(is_selected);
    view.select(model, found.unwrap_or(view.lane));
}
