// Starts the program. Its names, which have a hash in them, stand in the element that asked for this file.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const at = (name) => new URL(name, document.baseURI);

// All are asked for at once. What comes is read as it comes: a simple server that serves one file after the other would
// wait for ever with a file that nobody reads. A server that does not know WebAssembly's type is asked again.
const program = WebAssembly.compileStreaming(fetch(at(wasm))).catch(() => at(wasm));
// Without it the page has plain text fields.
const editor = import(document.querySelector("script[data-editor]").src).catch(() => {});
const [{ default: start }] = await Promise.all([import(at(js)), editor]);
// What reads Python is a program of its own, for when there is some. Its names have no hash: that of this program stands
// in for it, so that the two are of one build.
window.loadPython = async () => {
  const { default: startReader } = await import(at(`python.js?${wasm}`));
  await startReader({ module_or_path: at(`python_bg.wasm?${wasm}`) });
};
await start({ module_or_path: await program });
