//! Performs studies in Web Workers, or in slices between the page's own work where there are none.
//!
//! Workers share the module that the page has loaded; they are started when the first study comes. Studies wait in a
//! queue, each as a [`Study`] that hands out tasks; a free worker gets a piece of the first study that has any, cut so
//! that it takes about [`PIECE_MS`]. Whoever asked is told as results come in. A study can be cancelled at any time: a
//! worker that does not come back from its piece at once is ended and replaced. So is one that dies, which is said.

use super::browser;
use super::words::say;
use crate::study::{Done, Progress, Study, Task, perform};
use gloo_timers::callback::Timeout;
use js_sys::{Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// How long a piece of work should take in a worker.
const PIECE_MS: f64 = 50.0;
/// How long a slice on the main thread should take.
const SLICE_MS: f64 = 10.0;
/// How long a cancelled worker has to come back before it is ended.
const GRACE_MS: u32 = 60;
/// Workers at most.
const MOST_WORKERS: usize = 8;
/// Least time between two reports of a study.
const REPORT_MS: f64 = 120.0;
/// Workers that may die over one study before it is given up.
const MOST_DEATHS: u32 = 3;

/// A study that is being performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

struct Running {
    ticket: Ticket,
    study: Rc<RefCell<dyn Study>>,
    /// Tells whoever asked.
    report: Rc<dyn Fn(Progress)>,
    tasks: VecDeque<Task>,
    /// Pieces that are being performed.
    out: usize,
    /// Replications of a piece, by experience.
    piece: f64,
    played: u64,
    since: f64,
    reported: f64,
    /// How long the last report took.
    report_took: f64,
    deaths: u32,
}

struct Busy {
    ticket: Ticket,
    task: Task,
    since: f64,
}

struct Hand {
    number: u64,
    worker: Worker,
    ready: bool,
    busy: Option<Busy>,
    // They live as long as the worker.
    _listeners: [Closure<dyn FnMut(JsValue)>; 2],
}

#[derive(Default)]
struct Inner {
    hands: Vec<Hand>,
    running: Vec<Running>,
    next_number: u64,
    started: bool,
    /// Workers cannot be had: work goes in slices.
    alone: bool,
    slice_planned: bool,
}

/// All workers of the page; a handle that is copied around.
#[derive(Clone, Default)]
pub struct Pool(Rc<RefCell<Inner>>);

impl Pool {
    /// Begins a study. `report` is called now and then, and once when it is finished or given up.
    pub fn begin(&self, study: Rc<RefCell<dyn Study>>, report: impl Fn(Progress) + 'static) -> Ticket {
        let ticket = {
            let mut inner = self.0.borrow_mut();
            inner.next_number += 1;
            let ticket = Ticket(inner.next_number);
            let now = browser::now();
            let tasks = study.borrow_mut().next().into();
            inner.running.push(Running {
                ticket,
                study,
                report: Rc::new(report),
                tasks,
                out: 0,
                piece: 4.0,
                played: 0,
                since: now,
                reported: now,
                report_took: 0.0,
                deaths: 0,
            });
            ticket
        };
        self.start_workers();
        self.hand_out();
        let empty =
            |running: &Running| running.ticket == ticket && running.tasks.is_empty() && running.out == 0;
        if self.0.borrow().running.iter().any(empty) {
            self.report(ticket, true, None);
        }
        ticket
    }

    /// Gives a study up; nothing more is reported of it.
    pub fn cancel(&self, ticket: Ticket) {
        self.0.borrow_mut().running.retain(|running| running.ticket != ticket);
        let late: Vec<u64> = self
            .0
            .borrow()
            .hands
            .iter()
            .filter(|hand| busy_with(hand, ticket))
            .map(|hand| hand.number)
            .collect();
        if late.is_empty() {
            return self.hand_out();
        }
        let pool = self.clone();
        Timeout::new(GRACE_MS, move || {
            for number in late {
                let still = {
                    let inner = pool.0.borrow();
                    inner.hands.iter().any(|hand| hand.number == number && busy_with(hand, ticket))
                };
                if still {
                    pool.replace(number);
                }
            }
            pool.hand_out();
        })
        .forget();
    }

    fn start_workers(&self) {
        if std::mem::replace(&mut self.0.borrow_mut().started, true) {
            return;
        }
        for _ in 0..browser::cores().clamp(1, MOST_WORKERS) {
            self.add_worker();
        }
    }

    /// Starts a worker; without any, work goes in slices.
    fn add_worker(&self) {
        let number = {
            let mut inner = self.0.borrow_mut();
            inner.next_number += 1;
            inner.next_number
        };
        let hand = self.worker(number);
        let mut inner = self.0.borrow_mut();
        inner.hands.extend(hand);
        inner.alone = inner.hands.is_empty();
    }

    fn worker(&self, number: u64) -> Result<Hand, JsValue> {
        let script = browser::script_address().ok_or(JsValue::NULL)?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options("worker.js", &options)?;
        let pool = self.clone();
        let on_message = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let event: MessageEvent = event.unchecked_into();
            pool.came(number, &Uint8Array::new(&event.data()).to_vec());
        });
        let pool = self.clone();
        let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let event: ErrorEvent = event.unchecked_into();
            event.prevent_default();
            pool.died(number);
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let start = Object::new();
        Reflect::set(&start, &"script".into(), &script.into())?;
        Reflect::set(&start, &"module".into(), &wasm_bindgen::module())?;
        worker.post_message(&start)?;
        Ok(Hand { number, worker, ready: false, busy: None, _listeners: [on_message, on_error] })
    }

    /// Ends a worker, which may be in the middle of something, and starts another.
    fn replace(&self, number: u64) {
        let hand = {
            let mut inner = self.0.borrow_mut();
            let place = inner.hands.iter().position(|hand| hand.number == number);
            place.map(|place| inner.hands.swap_remove(place))
        };
        if let Some(hand) = hand {
            hand.worker.terminate();
            // Its listeners may be what is running just now.
            Timeout::new(0, move || drop(hand)).forget();
            self.add_worker();
        }
    }

    /// A worker died. What it was at is done again by another; one that never came to life is not replaced.
    fn died(&self, number: u64) {
        let (was_ready, busy) = {
            let mut inner = self.0.borrow_mut();
            let Some(hand) = inner.hands.iter_mut().find(|hand| hand.number == number) else { return };
            (hand.ready, hand.busy.take())
        };
        if was_ready {
            self.replace(number);
        } else {
            let mut inner = self.0.borrow_mut();
            inner.hands.retain(|hand| {
                let other = hand.number != number;
                if !other {
                    hand.worker.terminate();
                }
                other
            });
            inner.alone = inner.hands.is_empty();
        }
        if let Some(Busy { ticket, task, .. }) = busy {
            let hopeless = {
                let mut inner = self.0.borrow_mut();
                let running = inner.running.iter_mut().find(|running| running.ticket == ticket);
                running.is_some_and(|running| {
                    running.deaths += 1;
                    running.out -= 1;
                    running.tasks.push_front(task);
                    running.deaths >= MOST_DEATHS
                })
            };
            if hopeless {
                self.fail(ticket, say!(trouble.workers_died).to_owned());
            }
        }
        self.hand_out();
    }

    /// A worker sent something.
    fn came(&self, number: u64, bytes: &[u8]) {
        let busy = {
            let mut inner = self.0.borrow_mut();
            let Some(hand) = inner.hands.iter_mut().find(|hand| hand.number == number) else { return };
            hand.ready = true;
            hand.busy.take()
        };
        if let Some(busy) = busy {
            let done = postcard::from_bytes::<Result<Done, String>>(bytes)
                .unwrap_or_else(|error| Err(say!(trouble.result_unread, why = error)));
            self.take(&busy, done, PIECE_MS);
        }
        self.hand_out();
    }

    /// Takes what came of a piece.
    fn take(&self, busy: &Busy, done: Result<Done, String>, wanted_ms: f64) {
        let now = browser::now();
        let done = match done {
            Ok(done) => done,
            Err(why) => return self.fail(busy.ticket, why),
        };
        let report = {
            let mut inner = self.0.borrow_mut();
            let Some(running) = inner.running.iter_mut().find(|running| running.ticket == busy.ticket) else {
                return;
            };
            running.out -= 1;
            running.played += done.replications.len() as u64;
            let took = (now - busy.since).max(0.1);
            let fits = f64::from(busy.task.to - busy.task.from) * wanted_ms / took;
            running.piece = fits.clamp(1.0, running.piece * 4.0).min(5000.0);
            let mut study = running.study.borrow_mut();
            study.take(done);
            if running.tasks.is_empty() && running.out == 0 {
                running.tasks = study.next().into();
            }
            drop(study);
            let finished = running.tasks.is_empty() && running.out == 0;
            let pause = REPORT_MS.max(8.0 * running.report_took);
            (finished || now - running.reported > pause).then_some(finished)
        };
        if let Some(finished) = report {
            self.report(busy.ticket, finished, None);
        }
    }

    fn fail(&self, ticket: Ticket, why: String) {
        self.report(ticket, true, Some(why));
    }

    /// Tells whoever asked, with nothing borrowed: they may begin or cancel studies.
    fn report(&self, ticket: Ticket, finished: bool, failed: Option<String>) {
        let begin = browser::now();
        let told = {
            let mut inner = self.0.borrow_mut();
            let workers = inner.hands.len();
            let place = inner.running.iter().position(|running| running.ticket == ticket);
            place.map(|place| {
                let running = &mut inner.running[place];
                running.reported = begin;
                let seconds = ((begin - running.since) / 1000.0).max(0.001);
                let progress = Progress {
                    played: running.played,
                    planned: running.study.borrow().planned(),
                    per_second: running.played as f64 / seconds,
                    finished: finished && failed.is_none(),
                    failed,
                    deaths: running.deaths,
                    workers,
                };
                let report = running.report.clone();
                if finished {
                    inner.running.remove(place);
                }
                (report, progress)
            })
        };
        if let Some((report, progress)) = told {
            report(progress);
            let mut inner = self.0.borrow_mut();
            if let Some(running) = inner.running.iter_mut().find(|running| running.ticket == ticket) {
                running.report_took = browser::now() - begin;
            }
        }
    }

    /// Gives every free worker a piece.
    fn hand_out(&self) {
        if self.0.borrow().alone {
            return self.plan_slice();
        }
        loop {
            let mut inner = self.0.borrow_mut();
            let Some(free) = inner.hands.iter().position(|hand| hand.ready && hand.busy.is_none()) else {
                return;
            };
            let Some(busy) = inner.next_piece() else { return };
            // Bytes are written into memory that grows: this cannot fail.
            let bytes = postcard::to_allocvec(&busy.task).unwrap_or_default();
            let message = Uint8Array::from(bytes.as_slice());
            let transfer = js_sys::Array::of1(&message.buffer());
            let hand = &mut inner.hands[free];
            // Bytes can be posted by anyone to anyone.
            let _ = hand.worker.post_message_with_transfer(&message, &transfer);
            hand.busy = Some(busy);
        }
    }

    /// Without workers: a slice of work as soon as the page has nothing else to do.
    fn plan_slice(&self) {
        if std::mem::replace(&mut self.0.borrow_mut().slice_planned, true) {
            return;
        }
        let pool = self.clone();
        Timeout::new(0, move || {
            pool.0.borrow_mut().slice_planned = false;
            let piece = pool.0.borrow_mut().next_piece();
            if let Some(busy) = piece {
                let done = perform(&busy.task);
                pool.take(&busy, done, SLICE_MS);
                pool.plan_slice();
            }
        })
        .forget();
    }
}

fn busy_with(hand: &Hand, ticket: Ticket) -> bool {
    hand.busy.as_ref().is_some_and(|busy| busy.ticket == ticket)
}

impl Inner {
    /// A piece of the first study that has work.
    fn next_piece(&mut self) -> Option<Busy> {
        let running = self.running.iter_mut().find(|running| !running.tasks.is_empty())?;
        let task = running.tasks.front_mut()?;
        let piece = task.split(running.piece as u32);
        if task.is_empty() {
            running.tasks.pop_front();
        }
        running.out += 1;
        Some(Busy { ticket: running.ticket, task: piece, since: browser::now() })
    }
}
