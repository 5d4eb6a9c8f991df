// The page's text editor: CodeMirror, and what joins it to the page (src/app/codemirror.rs).
//
// Everything that is known of the text (what is wrong with it, what could be written next) comes from the page.

import { acceptCompletion, autocompletion,  completionStatus, moveCompletionSelection } from "@codemirror/autocomplete";
import {
  history, historyKeymap, indentLess, indentMore, insertNewline, insertNewlineAndIndent, standardKeymap, toggleComment,
} from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers, placeholder, tooltips,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { StyleModule } from "style-mod";

// By default the rules go into a <style> element, which the page's policy refuses; a constructed sheet needs no leave.
const sheet = new CSSStyleSheet();
let mounted = [];
document.adoptedStyleSheets.push(sheet);
StyleModule.mount = (_root, modules) => {
  if (modules.every((module) => mounted.includes(module))) return;
  // Later rules win: the order of the last editor is that of all.
  mounted = [...mounted.filter((module) => !modules.includes(module)), ...modules];
  sheet.replaceSync(mounted.map((module) => module.getRules()).join("\n"));
};

// Colours are those of the page, so they follow its light and dark by themselves.
const theme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, Menlo, Consolas, monospace", lineHeight: "20px", maxHeight: "452px", scrollbarWidth: "thin",
  },
  ".cm-content": { padding: "6px 0", minHeight: "92px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 10px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--dim)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 2px 0 0" },
  ".cm-placeholder": { color: "var(--dim)" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 26%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 30%, transparent)" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--accent) 40%, transparent)" },
  ".cm-line.warning": { backgroundColor: "var(--warn-bg)" },
  ".cm-line.error": { backgroundColor: "var(--error-bg)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--error)" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn)" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--dim)" },
  ".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info": {
    textUnderlineOffset: "3px", textDecorationThickness: "1px", textDecorationSkipInk: "none",
  },
  ".cm-lintRange-active": { backgroundColor: "transparent" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--error)" },
  ".cm-lintPoint-warning:after": { borderBottomColor: "var(--warn)" },
  ".cm-lintPoint-info:after": { borderBottomColor: "var(--dim)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "6px",
    boxShadow: "0 4px 16px rgb(0 0 0 / 0.18)", overflow: "hidden", maxWidth: "min(440px, 92vw)", zIndex: "10",
    font: "13px/1.45 system-ui, sans-serif",
  },
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible", maxWidth: "none" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "ui-monospace, Menlo, Consolas, monospace", fontSize: "12.5px", maxHeight: "196px",
    minWidth: "180px", maxWidth: "min(300px, 80vw)", borderRadius: "6px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", lineHeight: "20px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--card)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-tooltip.cm-completionInfo": {
    padding: "6px 10px", width: "max-content", maxWidth: "min(270px, 80vw)", margin: "0", whiteSpace: "normal",
  },
  ".cm-diagnostic": { padding: "6px 10px", marginLeft: "0", borderLeft: "3px solid var(--dim)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnosticAction": {
    font: "inherit", fontSize: "12.5px", padding: "1px 8px", margin: "4px 0 0", display: "block",
    backgroundColor: "transparent", color: "var(--accent)", border: "1px solid var(--edge)", borderRadius: "6px", cursor: "pointer",
  },
  ".cm-diagnosticAction:hover": { borderColor: "var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", borderRadius: "6px", font: "12.5px/1.45 system-ui, sans-serif" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { margin: "2px 4px 2px 0", fontSize: "12.5px" },
  ".cm-panel.cm-search input[type=checkbox]": { minHeight: "0", margin: "0 4px 0 0", verticalAlign: "-2px" },
  ".cm-textfield, .cm-button": {
    minHeight: "26px", padding: "1px 8px", border: "1px solid var(--edge)", borderRadius: "6px",
    backgroundColor: "var(--card)", backgroundImage: "none", color: "var(--ink)",
  },
  ".cm-button:active": { backgroundImage: "none" },
  ".cm-panel.cm-search [name=close]": { color: "var(--dim)", border: "none", minHeight: "24px", fontSize: "16px" },
});

const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.atom, tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.meta], color: "var(--dim)" },
]));

// What is inside a mapping or a list stands two further right than its key.
const indentation = indentService.of((context, position) => {
  const before = context.lineAt(position, -1).text;
  return context.lineIndent(position, -1) + (/:\s*(#.*)?$/.test(before) ? 2 : 0);
});

// At the very end of the text a line begins at its beginning: what a script or a text expander types there, spaces
// and all, is what is meant.
const enter = (view) =>
  view.state.selection.main.to === view.state.doc.length ? insertNewline(view) : insertNewlineAndIndent(view);

// With completions open, Tab takes the chosen or else the first one; Escape closes them, and Tab goes on.
const tab = (view) =>
  completionStatus(view.state) === "active" &&
  (acceptCompletion(view) || (moveCompletionSelection(true)(view) && acceptCompletion(view)));

const keys = [
  { key: "Mod-[", run: indentLess },
  { key: "Mod-]", run: indentMore },
  { key: "Mod-/", run: toggleComment },
];

// The text was changed by the page: it knows already.
const told = Annotation.define();

// Where a place (line and column from 1, columns in characters) is in a document, in UTF-16 units.
function offset(doc, { line, column }) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  const marks = line === 1 && text.startsWith("\ufeff") ? 1 : 0;
  const characters = Array.from(text).slice(0, column - 1 + marks);
  return from + characters.join("").length;
}

// The smallest change that makes one text of another, so that the cursor stays and undo is exact.
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const setLines = StateEffect.define();
// Lines that something is wrong with.
const lines = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setLines));
    return set ? set.value : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const rank = { error: 2, warning: 1, info: 0 };

// Diagnostics of the page as CodeMirror has them, and the lines they are in.
function marks(doc, found, mend) {
  const worst = new Map();
  const diagnostics = found.map(({ severity, start, end, message, help, fix }, index) => {
    let from = offset(doc, start);
    const line = doc.lineAt(from);
    if (rank[severity] > (rank[worst.get(line.from)] ?? 0)) worst.set(line.from, severity);
    // Of what is longer than a line, the first line says enough; of a mere place, the word there.
    let to = Math.min(Math.max(offset(doc, end), from), line.to);
    if (to === from) to += /^[\w$-]+|^./u.exec(doc.sliceString(from, line.to))?.[0].length ?? 0;
    if (to === from && from > line.from) from -= 1;
    const actions = fix === undefined ? [] : [{ name: fix, apply: () => mend(index) }];
    return { from, to, severity, message: help ? `${message}\n${help}` : message, actions };
  });
  const places = [...worst].sort(([one], [other]) => one - other);
  const decorations = places.map(([from, severity]) => Decoration.line({ class: severity }).range(from));
  return { diagnostics, lines: Decoration.set(decorations) };
}

// Puts an editor into an element. `typed(text)` takes what the reader typed and gives what should stand there,
// `complete(text, line, column)` what could be written there, `mend(index)` writes the fix of a diagnostic.
globalThis.mountEditor = (parent, { text, label, testid, hint, typed, complete, mend }) => {
  const source = (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const column = Array.from(line.text.slice(0, context.pos - line.from)).length + 1;
    const found = complete(context.state.doc.toString(), line.number, column);
    if (!found || found.options.length === 0) return null;
    const options = found.options.map(({ label, kind, doc, insert }) => ({
      label, type: kind, info: doc, apply: insert
    }));
    return { from: offset(context.state.doc, { line: line.number, column: found.from }), options, filter: false };
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.high(keymap.of([{ key: "Tab", run: tab }, { key: "Enter", run: enter }, { key: "F8", run: nextDiagnostic }])),
        keymap.of([...historyKeymap, ...searchKeymap, ...standardKeymap, ...keys]),
        lineNumbers(), history(), drawSelection(), highlightSpecialChars(), highlightSelectionMatches(),
        StreamLanguage.define(yaml), indentUnit.of("  "), indentation, colours, theme, lines,
        search(), placeholder(hint), tooltips({ parent: document.body }),
        // Nothing is chosen before it is pointed at: Enter is a new line whatever pops up.
        autocompletion({
          override: [source], selectOnOpen: false, interactionDelay: 0, icons: false,
          activateOnCompletion: (taken) => taken.type === "key",
        }),
        EditorView.contentAttributes.of({
      // It is in the tab order anyway; some tools look for this.
      tabindex: "0", "aria-label": label, "data-testid": testid }),
      ],
    }),
    dispatchTransactions(transactions, view) {
      const last = transactions.at(-1);
      const mine = transactions.some((transaction) => transaction.docChanged && !transaction.annotation(told));
      if (!mine) return view.update(transactions);
      const wanted = last.newDoc.toString();
      const given = typed(wanted);
      if (given === wanted) return view.update(transactions);
      // Something else takes the place of what was pasted: one step for undo, not two.
      const changes = difference(view.state.doc.toString(), given);
      view.update([view.state.update({ changes, userEvent: "input.paste", annotations: told.of(true) })]);
    },
  });
  return {
    show(text) {
      const before = view.state.doc.toString();
      const after = text.replace(/\r\n?/g, "\n");
      if (before !== after) view.dispatch({ changes: difference(before, after), annotations: told.of(true), userEvent: "set" });
    },
    diagnose(found) {
      // Where nothing stands, nothing can be marked.
      const { diagnostics, lines } = marks(view.state.doc, view.state.doc.length > 0 ? found : [], mend);
      const { effects } = setDiagnostics(view.state, diagnostics);
      view.dispatch({ effects: [effects, setLines.of(lines)].flat() });
    },
  };
};
