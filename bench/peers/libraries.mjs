// The JavaScript libraries, one row each: name → function from text to value or text.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

// `writes: 'text'`: gives JSON text, not a value.
const rows = [
  { name: 'jsonrepair', package: 'jsonrepair', pick: (m) => m.jsonrepair, writes: 'text' },
  { name: 'jaison', package: 'jaison', pick: (m) => m.jaison, writes: 'value' },
  {
    name: 'best-effort-json-parser',
    package: 'best-effort-json-parser',
    pick: (m) => {
      m.disableErrorLogging();
      return m.parse;
    },
    writes: 'value',
  },
];

// The libraries of rows that are installed below `folder`, which has node_modules, and JSON.parse for scale.
export async function load_libraries(folder) {
  const base = pathToFileURL(folder + '/');
  register('./typescript_hook.mjs', import.meta.url, { data: { folder: base.href } });
  const resolve = createRequire(base);
  const found = [{ name: 'JSON.parse', run: JSON.parse, writes: 'value' }];
  for (const row of rows) {
    const main = await locate(row.package, base, resolve);
    if (main) found.push({ name: row.name, run: row.pick(await import(main)), writes: row.writes });
  }
  return found;
}

// A package with an "exports" for `import` alone is not seen by require.resolve.
async function locate(name, base, resolve) {
  let manifest;
  try {
    manifest = resolve(`./node_modules/${name}/package.json`);
  } catch {
    return null;
  }
  const entry = manifest.exports?.['.']?.import ?? manifest.module ?? manifest.main;
  return new URL(`node_modules/${name}/${typeof entry === 'string' ? entry : entry.default}`, base).href;
}

// The value of an answer.
export function value_of(library, text) {
  const answer = library.run(text);
  return library.writes === 'text' ? JSON.parse(answer) : answer;
}
