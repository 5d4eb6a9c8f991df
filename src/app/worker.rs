//! What a worker does: it takes tasks and gives what came of them, one message each.
//!
//! Messages are the bytes of a [`Task`] and of a `Result<Done, String>`; the first message of a worker is empty and
//! says that it is ready.

use super::words::say;
use crate::study::{Done, Task, perform};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The scope of this worker; none in a page.
pub fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Listens for tasks for as long as the worker lives.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    let answer_to = scope.clone();
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let bytes = Uint8Array::new(&event.data()).to_vec();
        send(&answer_to, &answer(&bytes));
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // It lives as long as the worker.
    listener.forget();
    send(scope, &[]);
}

fn answer(bytes: &[u8]) -> Vec<u8> {
    let done: Result<Done, String> = match postcard::from_bytes::<Task>(bytes) {
        Ok(task) => perform(&task),
        Err(error) => Err(say!(trouble.task_unread, why = error)),
    };
    // Bytes are written into memory that grows: this cannot fail.
    postcard::to_allocvec(&done).unwrap_or_default()
}

fn send(scope: &DedicatedWorkerGlobalScope, bytes: &[u8]) {
    let message = Uint8Array::from(bytes);
    let transfer = js_sys::Array::of1(&message.buffer());
    // Bytes can be posted by anyone to anyone.
    let _ = scope.post_message_with_transfer(&message, &transfer);
}
