// A module hook: packages that ship as TypeScript are stripped of their types when they are loaded.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

let typescript;

export async function initialize(data) {
  typescript = createRequire(data.folder)('typescript');
}

// TypeScript leaves the ending away: `./lib/tokenizer` → `./lib/tokenizer.ts`
export async function resolve(specifier, context, next) {
  const bare = specifier.startsWith('.') && !/\.\w+$/.test(specifier);
  return next(bare && context.parentURL?.endsWith('.ts') ? `${specifier}.ts` : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
