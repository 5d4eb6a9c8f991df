//! Taking a run away: a dialog with every file that can be made of it. All are made here, in the page.

use super::browser::{self, Drawing, download, download_blob};
use super::state::State;
use super::words::say;
use crate::azure::metrics::parse_time;
use crate::chart::{
    ChartKind, Lay, Look, MOST_ROWS, MeasuredKind, Palette, Picture, chart, heat, measured, rows, standalone,
};
use crate::study::Answer;
use crate::study::export::{
    Exported, NotExported, Trace, file_name, result_json, result_yaml, scenario_json, timeline_csv, trace,
};
use leptos::html::Dialog;
use leptos::prelude::*;
use std::sync::Arc;

/// Width of a chart in a file, in pixels.
const WIDTH: u32 = 900;
/// How many times larger it is as PNG.
const SCALE: u32 = 2;
/// Most rows of nodes in a file; more would be too high for some browsers.
const MOST_NODES: u32 = 200;

impl State {
    fn file_name(self, what: Exported) -> String {
        let cluster = self.question.with_untracked(|question| {
            let name = question.as_ref().and_then(|question| question.cluster.name.as_ref());
            name.map(|name| name.value.clone()).unwrap_or_default()
        });
        let seed = self
            .answer
            .with_untracked(|answer| answer.as_ref().map(|answer| answer.run.model.settings().seed));
        let seed = seed.unwrap_or_else(|| self.scenario().assumptions.seed);
        file_name(&cluster, seed, what)
    }

    fn palette(self) -> Palette {
        if self.dark.get_untracked() { Palette::DARK } else { Palette::LIGHT }
    }

    /// Every chart that can be taken: those of the run, whatever is shown, and those that are shown.
    fn drawings(self) -> Vec<Drawing> {
        let mut drawings = Vec::new();
        if let Some(answer) = self.answer.get_untracked() {
            self.drawings_of(&answer, &mut drawings);
        }
        for shown in browser::drawings(".chart[data-testid]") {
            if !drawings.iter().any(|known| known.name == shown.name) {
                drawings.push(shown);
            }
        }
        drawings
    }

    fn drawings_of(self, answer: &Arc<Answer>, drawings: &mut Vec<Drawing>) {
        let palette = self.palette();
        let look = Look::new(WIDTH, &palette);
        let mut push = |name: &str, title: String, svg: Option<String>| {
            drawings.extend(svg.map(|svg| Drawing { name: name.to_owned(), title, svg }));
        };
        let studies = self.studies;
        let bands = studies.bands.get_untracked().filter(|_| !studies.chances.stale.get_untracked());
        let view = untrack(|| self.moment.view());
        for kind in ChartKind::ALL {
            let name = match kind {
                ChartKind::Throughput => "throughput",
                ChartKind::Cost => "cost",
                ChartKind::PreemptedCores => "preempted-cores",
                ChartKind::Nodes => "nodes",
            };
            push(name, kind.title().to_owned(), chart(kind, answer, bands.as_deref(), view, &look).ok());
        }
        let window = view.from..view.to;
        let nodes = answer.nodes.nodes();
        let drawn = if nodes > MOST_ROWS {
            heat(&answer.nodes, window, WIDTH, &palette)
        } else {
            rows(&answer.nodes, 0..nodes.min(MOST_NODES), window, WIDTH, &palette)
        };
        let title = if nodes > MOST_NODES && nodes <= MOST_ROWS {
            say!(export.first_nodes, count = MOST_NODES)
        } else {
            say!(export.nodes).to_owned()
        };
        push("node-timeline", title, drawn.ok());
        if let Some(found) = untrack(|| self.calibrating.found(self)) {
            let (moved, view) = untrack(|| self.calibrating.lay(self, &found));
            for kind in MeasuredKind::ALL {
                let name = match kind {
                    MeasuredKind::Preempted => "measured-preempted",
                    MeasuredKind::Live => "measured-live",
                };
                let drawn = measured(kind, answer, Lay::new(&found.measured, moved), view, &look);
                push(name, kind.title().to_owned(), drawn.ok());
            }
        }
    }

    fn picture(self, drawing: &Drawing, scale: u32) -> Option<Picture> {
        standalone(&drawing.svg, &drawing.title, &self.palette(), scale)
    }
}

/// A text file of the run or its scenario, and what was too much for it; or why there is none. The timeline begins at
/// `start`, if that is a moment.
fn text(state: State, what: Exported, start: &str) -> Result<(String, Vec<String>), String> {
    let scenario = |made: Result<String, NotExported>| made.map(whole).map_err(|why| why.to_string());
    match what {
        Exported::ScenarioJson => return scenario(scenario_json(&state.scenario())),
        Exported::ScenarioYaml => return Ok(whole(state.scenario().to_file())),
        _ => {}
    }
    let answer = state.answer.get_untracked().ok_or_else(|| say!(export.nothing).to_owned())?;
    let run = &answer.run;
    let made = match what {
        Exported::Trace => {
            let Trace { json, left_out } = trace(&answer);
            return Ok((json, left_out));
        }
        Exported::Timeline => {
            timeline_csv(&run.timeline, run.model.settings().platform.start_hour, parse_time(start))
        }
        Exported::ResultJson => result_json(&run.outcome),
        Exported::ResultYaml => result_yaml(&run.outcome),
        _ => Ok(answer.story.as_text()),
    };
    made.map(whole).map_err(|why| why.to_string())
}

fn whole(text: String) -> (String, Vec<String>) {
    (text, Vec::new())
}

/// The text files, with a button each.
#[component]
fn Texts(state: State, said: RwSignal<String>) -> impl IntoView {
    let start = RwSignal::new(String::new());
    let files = [
        ("export-csv", Exported::Timeline, say!(export.csv), say!(export.csv_about)),
        ("export-trace", Exported::Trace, say!(export.trace), say!(export.trace_about)),
        ("export-events", Exported::Events, say!(export.events), say!(export.events_about)),
        ("export-json", Exported::ResultJson, say!(export.result_json), say!(export.result_about)),
        ("export-yaml", Exported::ResultYaml, say!(export.result_yaml), say!(export.result_yaml_about)),
        (
            "export-scenario-json",
            Exported::ScenarioJson,
            say!(export.scenario_json),
            say!(export.scenario_json_about),
        ),
        (
            "export-scenario-yaml",
            Exported::ScenarioYaml,
            say!(export.scenario_yaml),
            say!(export.scenario_yaml_about),
        ),
    ];
    let rows = files.map(|(testid, what, name, about)| {
        let give = move |_| match text(state, what, &start.get_untracked()) {
            Ok((text, left_out)) => {
                let name = state.file_name(what);
                download(&name, &text);
                said.set([vec![say!(export.saved, name)], left_out].concat().join(" "));
            }
            Err(why) => said.set(say!(export.failed, why)),
        };
        view! {
            <li>
                <button type="button" data-testid=testid on:click=give>{name}</button>
                <span>{about}</span>
            </li>
        }
    });
    view! {
        <ul class="files">{rows.into_iter().collect_view()}</ul>
        <label class="line">
            {say!(export.start)}
            <input
                type="datetime-local"
                data-testid="export-start"
                prop:value=move || start.get()
                on:input=move |event| start.set(event_target_value(&event))
            />
        </label>
    }
}

/// The button and what it opens.
#[component]
pub fn Export(state: State) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let said = RwSignal::new(String::new());
    let drawings = RwSignal::new(Vec::<Drawing>::new());
    let open = move |_| {
        said.set(String::new());
        drawings.set(state.drawings());
        if let Some(dialog) = dialog.get_untracked() {
            // It is closed, or else this changes nothing.
            let _ = dialog.show_modal();
        }
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let charts = move || {
        let rows = drawings.get().into_iter().map(|drawing| view! { <ChartRow state said drawing/> });
        rows.collect_view()
    };
    view! {
        <button type="button" data-testid="export" title=say!(export.button_title) on:click=open>
            {say!(export.button)}
        </button>
        <dialog node_ref=dialog aria-labelledby="export-title" data-testid="export-dialog">
            <h2 id="export-title">{say!(export.title)}</h2>
            <p>{say!(export.about)}</p>
            <Texts state said/>
            <h2>{say!(export.charts)}</h2>
            <ul class="files pictures">{charts}</ul>
            <p class="note">{say!(export.charts_about)}</p>
            <p class="buttons">
                <button type="button" on:click=close>{say!(share.close)}</button>
                <span role="status" data-testid="export-said">{move || said.get()}</span>
            </p>
        </dialog>
    }
}

/// A chart with its two buttons.
#[component]
fn ChartRow(state: State, said: RwSignal<String>, drawing: Drawing) -> impl IntoView {
    let Drawing { name, title, .. } = drawing.clone();
    let (svg_id, png_id) = (format!("export-svg-{name}"), format!("export-png-{name}"));
    let (svg_label, png_label) =
        (say!(export.svg_label, title = title.as_str()), say!(export.png_label, title = title.as_str()));
    let held = StoredValue::new(drawing);
    let svg = move |_| {
        held.with_value(|drawing| {
            if let Some(picture) = state.picture(drawing, 1) {
                let name = state.file_name(Exported::Svg(&drawing.name));
                download(&name, &picture.svg);
                said.set(say!(export.saved, name));
            }
        });
    };
    let png = move |_| {
        held.with_value(|drawing| {
            let name = state.file_name(Exported::Png(&drawing.name));
            if let Some(picture) = state.picture(drawing, SCALE) {
                browser::png(picture, move |blob| match blob {
                    Some(blob) => {
                        download_blob(&name, &blob);
                        said.set(say!(export.saved, name));
                    }
                    None => said.set(say!(export.no_png).to_owned()),
                });
            }
        });
    };
    view! {
        <li>
            <span>{title}</span>
            <button type="button" data-testid=svg_id aria-label=svg_label on:click=svg>{say!(export.svg)}</button>
            <button type="button" data-testid=png_id aria-label=png_label on:click=png>{say!(export.png)}</button>
        </li>
    }
}
