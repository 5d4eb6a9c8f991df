// A worker runs the same program as the page: it is handed the compiled module and the address of its script.
self.onmessage = async ({ data: { script, module } }) => {
  self.onmessage = null;
  const { default: init } = await import(script);
  await init({ module_or_path: module });
};
