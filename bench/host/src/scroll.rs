//! Scrolling the page of a long trace: how long after the frame before each frame came, as a user has them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use beryl_trace::html;
use serde::Deserialize;

use crate::page;
use crate::time::{Aim, Row};

/// Ten minutes of the engine have about so many events.
const EVENTS: usize = 10_000_000;
const PATIENCE: Duration = Duration::from_secs(300);

/// Times from frame to frame of a part of the scroll, in ms.
#[derive(Debug, Deserialize)]
struct Frames {
    what: String,
    median: f64,
    /// All but one of a hundred took no longer.
    most: f64,
}

/// Moves through the whole run, a tenth of it, a hundredth, ... by a two hundredth of what can be seen in each frame; zooms
/// from all of it to a hundred thousandth; moves the lanes. Then says what it measured.
const SCRIPT: &str = "(async () => {
    const { model, show } = beryl, whole = model.end - model.start, told = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const measure = async (what, frames, step) => {
        const times = [];
        let before = await frame();
        for (let number = 0; number < frames; number++) {
            step(number / frames);
            const at = await frame();
            times.push(at - before);
            before = at;
        }
        times.sort((one, other) => one - other);
        told.push({ what, median: times[frames >> 1], most: times[Math.floor(frames * 0.99)] });
    };
    for (let number = 0; number < 30; number++) await frame();
    for (const part of [1.1, 10, 100, 1000, 10000]) {
        const length = whole / part, from = model.start + (whole - length) * 0.2;
        const most = part < 2 ? whole - length - (from - model.start) : length;
        await measure(`moving through a ${part < 2 ? 'run' : `part of 1/${part}`}`, 200, (done) => show(from + most * done, from + most * done + length));
    }
    await measure('zooming', 300, (done) => { const length = whole / 10 ** (5 * done); show(model.start + whole * 0.4, model.start + whole * 0.4 + length); });
    const canvas = document.getElementById('lanes');
    await measure('moving lanes', 200, (done) => canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: done < 0.5 ? 4 : -4, shiftKey: true, clientX: 600, clientY: 300, cancelable: true })));
    await fetch('http://127.0.0.1:PORT/', { method: 'POST', mode: 'no-cors', body: JSON.stringify(told) });
})();";

/// For each part the median and what all but one frame of a hundred take.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let page = html::page(&page::events(EVENTS)?, &page::names(), "workload");
    let mut rows = Vec::new();
    for frames in scrolled(&page)? {
        let row = |which: &str, milliseconds: f64| Row {
            what: format!("{EVENTS} events, {}, {which}", frames.what),
            took: Duration::from_secs_f64((milliseconds / 1000.0).max(0.0)),
            theirs: None,
            aim: Aim::Open { events: None },
        };
        let name = frames.what.replace(' ', "-");
        rows.push((format!("/{name}-median"), row("the median of frames", frames.median)));
        rows.push((format!("/{name}-most"), row("99 of 100 frames", frames.most)));
    }
    Ok(rows)
}

/// What the page says when it has scrolled; nothing where there is no browser.
fn scrolled(page: &str) -> Result<Vec<Frames>> {
    // It is said to a server of this program's own, since a browser that prints a page is done when that is loaded.
    let server = TcpListener::bind("127.0.0.1:0").context("no port of this machine is free")?;
    let port = server.local_addr()?.port();
    let tail = format!("<script>{}</script></body>", SCRIPT.replace("PORT", &port.to_string()));
    let Some(mut browser) = page::opened(&page.replace("</body>", &tail), &["--remote-debugging-port=0"])?
    else {
        return Ok(Vec::new());
    };
    let child =
        browser.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("the browser doesn't start")?;
    let _open = Open(child);
    serde_json::from_str(&said(&server)?).context("what the page says")
}

/// A browser that is closed at the end.
struct Open(Child);

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What is sent to the server.
fn said(server: &TcpListener) -> Result<String> {
    server.set_nonblocking(true)?;
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match server.accept() {
            Ok((connection, _)) => return body(connection),
            Err(_) => sleep(Duration::from_millis(50)),
        }
    }
    bail!("the page didn't scroll to its end in {PATIENCE:?}")
}

/// The body of a request, which is answered without one.
fn body(mut connection: TcpStream) -> Result<String> {
    connection.set_nonblocking(false)?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut length = 0;
    for line in reader.by_ref().lines() {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().context("a length")?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    connection.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
    String::from_utf8(body).context("the page says what isn't text")
}
