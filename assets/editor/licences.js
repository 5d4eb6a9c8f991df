// Writes the licences of all that the page is made of: the packages in the editor's bundle, as esbuild lists them, and
// the crates in the program, as cargo lists them.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [metafile, outfile] = process.argv.slice(2);

// A licence's files in a folder. Of several licences to choose from, the shortest text is chosen: MIT's.
function texts(folder) {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|unlicense|notice)/i.test(name));
  const mit = files.filter((name) => /mit/i.test(name));
  return (mit.length > 0 ? mit : files)
    .filter((name) => !/apache/i.test(name) || files.length === 1)
    .map((name) => readFileSync(join(folder, name), "utf8").replace(/\r\n/g, "\n").trim());
}

function packages() {
  const inputs = Object.keys(JSON.parse(readFileSync(metafile, "utf8")).inputs);
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  return [...new Set(names)].map((name) => {
    const folder = join("node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name: `${name} ${version}`, license, texts: texts(folder) };
  });
}

function crates() {
  const options = ["metadata", "--locked", "--format-version=1", "--filter-platform=wasm32-unknown-unknown"];
  const { packages, resolve } = JSON.parse(
    execFileSync("cargo", options, { cwd: "../..", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] }),
  );
  const known = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => known.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
  const found = new Set();
  // What is needed to build the program, or to test it, is not in it.
  const visit = (id) => {
    if (found.has(id) || isMacro(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps)
      if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(resolve.root);
  found.delete(resolve.root);
  return [...found].map((id) => {
    const { name, version, license, manifest_path } = known.get(id);
    return { name: `${name} ${version}`, license, texts: texts(dirname(manifest_path)) };
  });
}

const rust = { name: "Rust's standard library", license: "MIT OR Apache-2.0", texts: [] };
const own = readFileSync("../../LICENSE", "utf8").trim();
// Many share one text: it is there once.
const shared = new Map();
for (const { name, license, texts } of [...packages(), ...crates(), rust].sort((a, b) => (a.name < b.name ? -1 : 1))) {
  const text = texts.join("\n\n") || `(no text of its own; ${license}, see https://spdx.org/licenses/)`;
  shared.set(text, [...(shared.get(text) ?? []), `${name} (${license})`]);
}
const rule = "\n\n" + "-".repeat(80) + "\n\n";
const parts = [...shared].map(([text, names]) => `${names.join("\n")}\n\n${text}`);
writeFileSync(outfile, [`Lowpri\n\n${own}`, ...parts].join(rule) + "\n");
