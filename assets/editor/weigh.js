// What the first visit to a site transfers, file by file, compressed with brotli as most servers do.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const site = process.argv[2];
// Nobody's first visit asks for the licences.
const names = readdirSync(site).filter((name) => name !== "licences.txt");
const weights = names.map((name) => [brotliCompressSync(readFileSync(join(site, name))).length, name]);
// What reads Python is loaded when there is some.
const later = weights.filter(([, name]) => name.startsWith("python"));
const first = weights.filter((weight) => !later.includes(weight));
weights.sort(([one], [other]) => other - one);
const sum = (weights) => weights.reduce((sum, [weight]) => sum + weight, 0);
weights.push([sum(later), "of these when there is Python to read"]);
weights.push([sum(first), "in all, as the first visit transfers it (brotli)"]);
for (const [weight, name] of weights) console.log(`${(weight / 1000).toFixed(1).padStart(7)} KB  ${name}`);
