//! Resolves a text among names: to one thing, or to an error that lists the candidates.
//!
//! If modules have equal names, the builder prefixes each with its module: `Cabin.gap`, `Door.gap`. The name
//! alone would be ambiguous, so it means neither.

/// Why a text means nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOne {
    /// Nothing has this name.
    #[error("there is no {what} `{text}`; there are {}", listed(known))]
    None {
        /// The kind of thing that was looked for.
        what: &'static str,
        /// The text.
        text: String,
        /// The names of things of this kind.
        known: Vec<String>,
    },
    /// Several modules have this name.
    #[error("`{text}` is in several modules; write {}", proposed(meant))]
    Several {
        /// The text.
        text: String,
        /// Their full names.
        meant: Vec<String>,
    },
    /// Two things share this name, with nothing to tell them apart.
    #[error(
        "two things are called `{text}`; read the trace with names of this version, or give them other names"
    )]
    Twice {
        /// The text.
        text: String,
    },
}

/// The one thing that a text means; `what` is the kind of thing.
///
/// # Errors
/// If there is none, or more than one.
pub fn one<'a, T>(
    what: &'static str,
    text: &str,
    known: impl IntoIterator<Item = (&'a str, T)>,
) -> Result<T, NotOne> {
    let (mut exact, mut qualified, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (name, thing) in known {
        all.push(name.to_owned());
        if name == text {
            exact.push(thing);
        } else if name.rsplit_once('.').is_some_and(|(_, own)| own == text) {
            qualified.push(name.to_owned());
        }
    }
    let text = text.to_owned();
    match (exact.pop(), exact.is_empty(), qualified.is_empty()) {
        (Some(thing), true, _) => Ok(thing),
        (Some(_), false, _) => Err(NotOne::Twice { text }),
        (None, _, false) => Err(NotOne::Several { text, meant: qualified }),
        (None, _, true) => Err(NotOne::None { what, text, known: all }),
    }
}

/// The first names, for a message.
fn listed(known: &[String]) -> String {
    const MOST: usize = 40;
    match known.len() {
        0 => "none".to_owned(),
        count if count > MOST => format!("{} and {} more", known[..MOST].join(", "), count - MOST),
        _ => known.join(", "),
    }
}

fn proposed(meant: &[String]) -> String {
    let quoted: Vec<String> = meant.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_means_one_thing_or_is_refused_with_a_proposal() {
        let known = ["Cabin.gap", "Door.gap", "motor", "leaf", "leaf"];
        let one = |text| one("sensor", text, known.into_iter().zip(0..)).map_err(|wrong| wrong.to_string());
        assert_eq!((one("motor"), one("Door.gap")), (Ok(2), Ok(1)));
        assert_eq!(
            one("gap"),
            Err("`gap` is in several modules; write `Cabin.gap` or `Door.gap`".to_owned())
        );
        let said = one("gas").expect_err("nothing");
        assert_eq!(said, "there is no sensor `gas`; there are Cabin.gap, Door.gap, motor, leaf, leaf");
        assert!(one("leaf").is_err_and(|said| said.starts_with("two things are called `leaf`")));
    }
}
