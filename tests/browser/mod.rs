//! A page in headless Chromium, served from this process under a path of its own, so that an absolute address in
//! it would break.

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

/// Where the site stands on its server.
const UNDER: &str = "/some/where/";
/// How long something may take before a test gives up; nothing depends on being fast.
const PATIENCE: Duration = Duration::from_secs(30);

/// The page, its browser, its driver and its server.
pub struct Page {
    client: Client,
    driver: Child,
    server: Arc<tiny_http::Server>,
    origin: String,
    // Removed when the page is dropped.
    profile: tempfile::TempDir,
}

/// A test that fails leaves its browser behind: it is known by its profile, which nobody else has.
impl Drop for Page {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = std::process::Command::new("pkill").arg("-f").arg(self.profile.path()).status();
        }
    }
}

impl Page {
    /// Opens the page at 1440 x 1000.
    pub async fn open() -> Self {
        Self::open_in("").await
    }

    /// The same in a browser in which a script has run before those of the page.
    pub async fn open_in(script: &str) -> Self {
        Self::open_with(script, "").await
    }

    /// The same with parameters and a fragment in the address.
    pub async fn open_at(parameters: &str, fragment: &str) -> Self {
        Self::open_with("", &format!("{parameters}{fragment}")).await
    }

    async fn open_with(script: &str, rest: &str) -> Self {
        let (server, origin) = serve();
        let port = free_port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("chromedriver starts");
        let profile = tempfile::tempdir().expect("a folder for the browser");
        let client = connect(port, &profile).await;
        let page = Self { client, driver, server, origin, profile };
        page.resize(1440, 1000).await;
        let add = json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}});
        page.client.issue_cmd(Post("goog/cdp/execute", add)).await.expect("a script for the page");
        page.client.goto(&format!("{}{UNDER}{rest}", page.origin)).await.expect("the page opens");
        // What it offers to embedders is there as soon as the program runs.
        page.wait_for_script("return 'lowpri' in window", &json!(true)).await;
        page
    }

    /// Opens the page again, without the files that a pattern describes.
    pub async fn reopen_without(&self, pattern: &str) {
        for (name, parameters) in
            [("Network.enable", json!({})), ("Network.setBlockedURLs", json!({"urls": [pattern]}))]
        {
            let command = json!({"cmd": name, "params": parameters});
            self.client.issue_cmd(Post("goog/cdp/execute", command)).await.expect("the browser does it");
        }
        self.client.refresh().await.expect("the page opens");
    }

    async fn find(&self, testid: &str) -> fantoccini::elements::Element {
        let selector = format!("[data-testid={testid}]");
        let wait = self.client.wait().at_most(PATIENCE);
        wait.for_element(Locator::Css(&selector)).await.unwrap_or_else(|error| panic!("{testid}: {error}"))
    }

    /// The visible text of an element.
    pub async fn text(&self, testid: &str) -> String {
        self.find(testid).await.text().await.expect("text")
    }

    /// What is inside an element.
    pub async fn html(&self, testid: &str) -> String {
        self.find(testid).await.html(true).await.expect("markup")
    }

    /// Clicks an element; once more if it was made anew between the look and the click, as results come in.
    pub async fn click(&self, testid: &str) {
        let begin = Instant::now();
        while let Err(error) = self.find(testid).await.click().await {
            let again = error.is_stale_element_reference() && begin.elapsed() < PATIENCE;
            assert!(again, "{testid} is not clicked: {error}");
        }
    }

    /// Runs a script and gives what it returns.
    pub async fn script(&self, script: &str) -> Value {
        self.script_with(script, Vec::new()).await
    }

    /// Runs a script with arguments.
    pub async fn script_with(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.expect("the script runs")
    }

    /// Replaces the text of an editor, as a paste does.
    pub async fn type_into(&self, testid: &str, text: &str) {
        self.replace(&format!("[data-testid={testid}]"), text).await;
    }

    /// Replaces the text of a field of the form.
    pub async fn type_into_field(&self, id: &str, text: &str) {
        self.replace(&format!("[data-field='{id}']"), text).await;
    }

    async fn replace(&self, selector: &str, text: &str) {
        let script = "const field = document.querySelector(arguments[0]); field.focus();
            document.execCommand('selectAll'); document.execCommand('insertText', false, arguments[1]);";
        self.script_with(script, vec![json!(selector), json!(text)]).await;
    }

    /// The text in an editor.
    pub async fn editor_text(&self, testid: &str) -> String {
        let shown = self.script(&editor_text(testid)).await;
        shown.as_str().expect("an editor").to_owned()
    }

    /// Waits until an editor holds a text.
    pub async fn wait_for_editor(&self, testid: &str, text: &str) {
        self.wait_for_script(&editor_text(testid), &json!(text)).await;
    }

    /// Presses keys one by one where the focus is; the likes of Enter are in fantoccini's `Key`.
    pub async fn press(&self, keys: &str) {
        self.client.active_element().await.expect("a focus").send_keys(keys).await.expect("keys");
    }

    /// Moves the mouse onto the first element that a CSS selector finds.
    pub async fn hover(&self, selector: &str) {
        let wait = self.client.wait().at_most(PATIENCE);
        let element = wait.for_element(Locator::Css(selector)).await.expect("something to hover over");
        let (x, y, width, height) = element.rectangle().await.expect("a place");
        let to = |x: f64, y: f64| PointerAction::MoveTo { duration: None, x, y };
        let (x, y) = (x + width / 2.0, y + height / 2.0);
        let actions = MouseActions::new("mouse".to_owned()).then(to(x + 1.0, y)).then(to(x, y));
        self.client.perform_actions(actions).await.expect("the mouse moves");
    }

    /// Where the first element that a CSS selector finds is in the window, after it was brought into its middle: left,
    /// top, width, height.
    pub async fn place(&self, selector: &str) -> [f64; 4] {
        let script = "const found = document.querySelector(arguments[0]);
            found.scrollIntoView({block: 'center', behavior: 'instant'});
            const {left, top, width, height} = found.getBoundingClientRect(); return [left, top, width, height];";
        let place = self.script_with(script, vec![json!(selector)]).await;
        serde_json::from_value(place).expect("a place")
    }

    /// Moves the mouse to a place in the window.
    pub async fn move_to(&self, (x, y): (f64, f64)) {
        let to = |x: f64| PointerAction::MoveTo { duration: None, x, y };
        let actions = MouseActions::new("mouse".to_owned()).then(to(x + 1.0)).then(to(x));
        self.client.perform_actions(actions).await.expect("the mouse moves");
    }

    /// Presses the mouse at a place in the window and lets go of it at another, which may be the same.
    pub async fn drag(&self, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) {
        let to = |x: f64, y: f64| PointerAction::MoveTo { duration: None, x, y };
        let (down, up) = (
            PointerAction::Down { button: MOUSE_BUTTON_LEFT },
            PointerAction::Up { button: MOUSE_BUTTON_LEFT },
        );
        let middle = to(f64::midpoint(x, to_x).round(), f64::midpoint(y, to_y).round());
        let mouse = MouseActions::new("mouse".to_owned());
        let actions = mouse.then(to(x, y)).then(down).then(middle).then(to(to_x, to_y)).then(up);
        self.client.perform_actions(actions).await.expect("the mouse drags");
    }

    /// Clicks twice at a place in the window.
    pub async fn double_click(&self, (x, y): (f64, f64)) {
        let mut mouse =
            MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        for _ in 0..2 {
            mouse = mouse.then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
            mouse = mouse.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        }
        self.client.perform_actions(mouse).await.expect("the mouse clicks twice");
    }

    /// Drops a file onto the first element that a CSS selector finds.
    pub async fn drop_file(&self, selector: &str, text: &str) {
        self.drop_named(selector, "dropped.yml", text).await;
    }

    /// The same with a name.
    pub async fn drop_named(&self, selector: &str, name: &str, text: &str) {
        let script =
            "const held = new DataTransfer(); held.items.add(new File([arguments[1]], arguments[2]));
            for (const name of ['dragenter', 'dragover', 'drop'])
                document.querySelector(arguments[0]).dispatchEvent(
                    new DragEvent(name, {dataTransfer: held, bubbles: true, cancelable: true}));";
        self.script_with(script, vec![json!(selector), json!(text), json!(name)]).await;
    }

    /// Waits until an element shows a text.
    pub async fn wait_for_text(&self, testid: &str, text: &str) {
        let script = format!("return document.querySelector('[data-testid={testid}]')?.innerText ?? ''");
        self.wait(&script, |shown| shown.as_str().is_some_and(|shown| shown.contains(text)), text).await;
    }

    /// Waits until the page has a result.
    pub async fn wait_for_result(&self, result: &Value) {
        self.wait_for_script("return window.lowpri.result()", result).await;
    }

    /// Waits until a script returns a value.
    pub async fn wait_for_script(&self, script: &str, value: &Value) {
        self.wait(script, |shown| shown == value, &value.to_string()).await;
    }

    async fn wait(&self, script: &str, good: impl Fn(&Value) -> bool, wanted: &str) {
        let begin = Instant::now();
        loop {
            let shown = self.script(script).await;
            if good(&shown) {
                return;
            }
            if begin.elapsed() > PATIENCE {
                let console = self.log("browser").await;
                panic!("waited for {wanted}, there is {shown}; the console says {console}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Where the site's files are.
    pub fn site() -> PathBuf {
        PathBuf::from(std::env::var("LOWPRI_DIST").expect("LOWPRI_DIST says where the site is"))
    }

    /// Names of the page's own files that it has asked for since it was last asked for them, each once.
    pub async fn own_requests(&self) -> Vec<String> {
        let own = format!("{}{UNDER}", self.origin);
        let urls = requests(&self.log("performance").await);
        let names = urls.iter().filter_map(|url| url.strip_prefix(&own));
        let mut names: Vec<String> =
            names.map(|name| name.split(['?', '#']).next().unwrap_or_default().to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// What axe-core finds serious or critical on the page as it is, with the first places, and whether it sticks out.
    pub async fn barriers(&self) -> Value {
        let axe =
            std::fs::read_to_string("assets/editor/node_modules/axe-core/axe.min.js").expect("npm ci ran");
        self.script(&format!("window.axe || (() => {{ {axe} }})()")).await;
        self.script(
            "const out = document.documentElement.scrollWidth - window.innerWidth;
            return axe.run(document, {resultTypes: ['violations']}).then(result => result.violations
                .filter(found => ['serious', 'critical'].includes(found.impact))
                .map(found => `${found.id}: ${found.nodes.slice(0, 3).map(node => node.target + ' ' + node.failureSummary)}`)
                .concat(out > 0 ? [`sticks out by ${out} pixels`] : []))",
        )
        .await
    }

    /// Sets the size of the viewport.
    pub async fn resize(&self, width: u32, height: u32) {
        // Wider than a window can be made small: the device's screen is set instead.
        let parameters =
            json!({"width": width, "height": height, "deviceScaleFactor": 2, "mobile": width < 600});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": parameters});
        self.client.issue_cmd(Post("goog/cdp/execute", command)).await.expect("the screen changes");
    }

    /// What the browser noted since it was last asked: in its `browser` console, or of `performance`.
    pub async fn log(&self, kind: &str) -> Value {
        self.client.issue_cmd(Post("se/log", json!({"type": kind}))).await.expect("a log")
    }

    /// Ends everything.
    pub async fn close(mut self) {
        self.client.clone().close().await.expect("the browser ends");
        self.server.unblock();
        let _ = self.driver.kill().await;
    }

    /// Ends everything; complains of errors in the console, such as what the page's policy refuses, and of requests
    /// beyond the page's own files.
    pub async fn close_and_complain(self) {
        let (console, network) = (self.log("browser").await, self.log("performance").await);
        let own = format!("{}{UNDER}", self.origin);
        self.close().await;

        let severe = |entry: &&Value| entry["level"] == "SEVERE";
        let errors: Vec<_> = console.as_array().into_iter().flatten().filter(severe).collect();
        assert!(errors.is_empty(), "the console says {errors:?}");
        for url in requests(&network) {
            // The browser begins with an empty page of its own.
            let inside =
                [own.as_str(), "data:", "blob:", "chrome:"].iter().any(|start| url.starts_with(*start));
            assert!(inside, "a request beyond the page: {url}");
        }
    }
}

/// A script that gives the text in an editor: its lines as far as they are drawn, which all of a short text are.
fn editor_text(testid: &str) -> String {
    format!(
        "const field = document.querySelector('[data-testid={testid}]');
        return field.value ?? [...field.querySelectorAll('.cm-line')].map(line => line.textContent).join('\\n')"
    )
}

/// Addresses that the page asked for.
fn requests(log: &Value) -> Vec<String> {
    let entries = log.as_array().into_iter().flatten();
    let messages = entries.filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok());
    let sent = messages.filter(|message| message["message"]["method"] == "Network.requestWillBeSent");
    sent.filter_map(|message| message["message"]["params"]["request"]["url"].as_str().map(str::to_owned))
        .collect()
}

async fn connect(port: u16, profile: &tempfile::TempDir) -> Client {
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ];
    let mut arguments: Vec<String> = arguments.map(str::to_owned).to_vec();
    arguments.push(format!("--user-data-dir={}", profile.path().display()));
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), json!({"args": arguments}));
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "ALL", "performance": "ALL"}));
    let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
    builder.capabilities(capabilities);
    let begin = Instant::now();
    loop {
        match builder.connect(&format!("http://127.0.0.1:{port}")).await {
            Ok(client) => return client,
            Err(error) if begin.elapsed() > PATIENCE => panic!("no browser: {error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a free port").port()
}

/// Serves the built site until it is unblocked.
fn serve() -> (Arc<tiny_http::Server>, String) {
    let site = Page::site();
    let server = Arc::new(tiny_http::Server::http("127.0.0.1:0").expect("a server"));
    let port = server.server_addr().to_ip().expect("an address").port();
    let serving = Arc::clone(&server);
    std::thread::spawn(move || {
        while let Ok(request) = serving.recv() {
            let path = request.url().split('?').next().unwrap_or_default();
            let name = path.strip_prefix(UNDER).map(|name| if name.is_empty() { "index.html" } else { name });
            let file =
                name.filter(|name| !name.contains("..")).and_then(|name| std::fs::read(site.join(name)).ok());
            let Some(file) = file else {
                let _ = request.respond(tiny_http::Response::empty(404));
                continue;
            };
            let kind = match name.and_then(|name| name.rsplit('.').next()) {
                Some("html") => "text/html; charset=utf-8",
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                Some("wasm") => "application/wasm",
                Some("svg") => "image/svg+xml",
                _ => "text/plain; charset=utf-8",
            };
            let header = tiny_http::Header::from_bytes("Content-Type", kind).expect("a header");
            let _ = request.respond(tiny_http::Response::from_data(file).with_header(header));
        }
    });
    (server, format!("http://127.0.0.1:{port}"))
}

/// A command of the browser driver's own: a path below the session and a body.
#[derive(Debug)]
struct Post(&'static str, Value);

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}
