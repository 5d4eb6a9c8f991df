//! Who may do what.

use crate::app::figure::scrolling;
use crate::app::words::say;
use crate::azure::{Operation, Role};
use leptos::prelude::*;

/// A row an operation, a column a role.
#[component]
pub fn Roles() -> impl IntoView {
    let head = Role::ALL.map(|role| view! { <th scope="col">{role.name()}</th> });
    let rows = Operation::ALL.map(|operation| {
        let cells = Role::ALL.map(|role| view! { <td>{role.may(operation).word()}</td> });
        let actions = operation.actions().join(", ");
        view! {
            <tr>
                <th scope="row">{operation.described()} <small class="under">{actions}</small></th>
                {cells.into_iter().collect_view()}
            </tr>
        }
    });
    view! {
        <div class="card" data-testid="instance-roles">
            <h2>{say!(instance.roles)} <small>{say!(instance.roles_note)}</small></h2>
            {scrolling(view! {
                <table class="roles">
                    <thead>
                        <tr>
                            <th scope="col">{say!(instance.operation)}</th>
                            {head.into_iter().collect_view()}
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().collect_view()}</tbody>
                </table>
            })}
            <p class="note">{say!(instance.roles_end)}</p>
        </div>
    }
}
