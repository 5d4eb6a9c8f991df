//! Something stands in the way of an answer: said where the answer stands, which may be far from what is marked.

use super::browser::focus_on;
use super::words::say;
use leptos::prelude::*;

/// What is marked in the question.
const MARKED: &str = ".blocks,[aria-invalid='true'],.question>.problem";

/// Says that there is no answer, or only an earlier one, with a button that goes to the first thing to mend. Nothing, if
/// nothing is wrong.
pub fn to_mend(is_wrong: bool, is_answered: bool) -> Option<AnyView> {
    let words = if is_answered { say!(page.last_good) } else { say!(page.in_the_way) };
    is_wrong.then(|| {
        view! {
            <p class="note wrong">
                {words}
                " "
                <button type="button" class="fix" data-testid="go-to-problem" on:click=move |_| focus_on(MARKED)>
                    {say!(page.go_to_problem)}
                </button>
            </p>
        }
        .into_any()
    })
}
