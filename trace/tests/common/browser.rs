//! The page of a trace in a real browser.

use std::path::PathBuf;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

/// What `script`, a function's body, answers on a page; nothing where there is no browser.
pub fn asked(name: &str, page: &str, script: &str) -> Option<Value> {
    let tail = format!(
        "<script>const said = (() => {{ {script} }})();
        document.body.replaceChildren(btoa(unescape(encodeURIComponent(JSON.stringify(said)))));</script></body>"
    );
    let dom = opened(name, &page.replace("</body>", &tail), &["--dump-dom"])?;
    let dom = String::from_utf8_lossy(&dom);
    let body =
        dom.rsplit_once("<body>").and_then(|(_, rest)| rest.split_once('<')).map(|(body, _)| body.trim());
    let told = body.and_then(|body| STANDARD.decode(body).ok()).expect("the page's script ran to its end");
    Some(serde_json::from_slice(&told).expect("JSON"))
}

/// A picture of a page as a user sees it when `script` has been carried out, to look at; nothing where there is no
/// browser.
pub fn pictured(name: &str, page: &str, script: &str) -> Option<PathBuf> {
    let picture = folder(name).join("page.png");
    let tail = format!("<script>{script}</script></body>");
    opened(name, &page.replace("</body>", &tail), &[&format!("--screenshot={}", picture.display())])?;
    Some(picture)
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What the browser prints when it has opened a page.
fn opened(name: &str, page: &str, options: &[&str]) -> Option<Vec<u8>> {
    let Some(browser) = browser() else {
        eprintln!("{name}: not tried, there is no Chromium; `./x setup` installs it");
        return None;
    };
    let folder = folder(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("page.html");
    std::fs::write(&file, page).expect("writable");
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,800"])
        .args(options)
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    Some(output.stdout)
}
