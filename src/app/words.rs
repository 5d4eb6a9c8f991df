//! The words of the page: they stand in `assets/locales/en.json`, grouped by view, and [`say!`] puts them where people
//! read them. No view holds a word of its own (`tests/words.rs` looks).
//!
//! ```ignore
//! view! { <button title=say!(header.save_title)>{say!(header.save)}</button> }
//! say!(editor.place, title, line = place.line, column = place.column)
//! ```
//!
//! A key or a gap `{{ … }}` that is not there does not compile: the build script makes functions of the file with
//! `leptos_i18n`. Plain words are a `&'static str`, words with gaps a `String`; both do in text and in attributes, in
//! closures, and in workers. There is no context of the library, as the language of a page never changes while it is read.
//!
//! # What is said elsewhere
//!
//! What can be said without a browser is, where a test can hear it: sentences made of figures in [`crate::study`],
//! what is wrong with a file in [`crate::azure`] and [`crate::scenario`], labels of charts in [`crate::chart`].
//!
//! Figures, durations and money are written by [`crate::scenario::words`] alone and fill gaps as text. The library could
//! write them too, from the tables of ICU, for more bytes of the first visit (compressed with brotli) than all words of
//! the page: 22 KB for counts, 48 KB for counts and money; it has no durations, and of an amount of money it would show
//! every digit that a float has. Its plurals would be 20 KB: what is counted in words, and can be one, is a sentence made
//! of figures.
//!
//! # Another language
//!
//! Put `assets/locales/NAME.json` beside the English one, with the same keys, add its name to `LANGUAGES` in `build.rs`,
//! and make of [`LANGUAGE`] a choice, made once when the page begins. What is said elsewhere would have to follow, and
//! plurals be turned on (`plurals` and `icu_compiled_data` of `leptos_i18n`, `plurals` of the two crates of the build
//! script): then `KEY_one` and `KEY_other` are forms of one `KEY` that is said with a `count`. So no key ends like that now.

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// The language of the page, as `lang` in `index.html` says too.
pub const LANGUAGE: i18n::Locale = i18n::Locale::en;

/// The words under a key of `assets/locales/en.json`, their gaps filled: `say!(editor.label, title)`.
macro_rules! say {
    ($($words:tt)+) => { leptos_i18n::td_string!($crate::app::words::LANGUAGE, $($words)+) };
}
pub(crate) use say;
