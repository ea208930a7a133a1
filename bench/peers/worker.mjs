// Times the JavaScript libraries, one line at a time; the lines are those of bench/worker.cpp.
//
//     node worker.mjs FOLDER_WITH_NODE_MODULES
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { load_libraries, value_of } from './libraries.mjs';

// What a library prints is not our answer.
console.log = console.error = console.warn = console.info = console.debug = () => {};

const libraries = new Map((await load_libraries(process.argv[2])).map((l) => [l.name, l]));
const texts = new Map();

function text_of(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8'));
  return texts.get(file);
}

function check(library, file, wanted_file) {
  let value;
  try {
    value = value_of(library, text_of(file));
  } catch (error) {
    return { answer: 'refused', why: String(error.message ?? error).slice(0, 100) };
  }
  const wanted = JSON.stringify(JSON.parse(readFileSync(wanted_file, 'utf8')));
  return { answer: JSON.stringify(value) === wanted ? 'right' : 'wrong' };
}

let sink; // what a run gives is kept, so that it is not optimised out
function time(library, file, seconds) {
  const text = text_of(file);
  const start = process.hrtime.bigint();
  const processor = process.cpuUsage();
  let runs = 0;
  let took = 0;
  for (let batch = 1; took < seconds; ) {
    for (let i = 0; i < batch; ++i) {
      try {
        sink = library.run(text);
      } catch (error) {
        sink = error;
      }
    }
    runs += batch;
    const before = took;
    took = Number(process.hrtime.bigint() - start) / 1e9;
    if (took - before < 50e-6) batch *= 2;
  }
  // As bench/worker.cpp: the fewer of the seconds on the wall and of this process's processor time.
  const { user, system } = process.cpuUsage(processor);
  return { seconds: Math.min(took, (user + system) / 1e6) / runs, runs };
}

function answer(line) {
  const [verb, name, file, last] = line.split('\t');
  if (verb === 'subjects') return [...libraries.keys()];
  if (verb === 'forget') {
    texts.clear();
    sink = undefined;
    return {};
  }
  if (verb === 'check') return check(libraries.get(name), file, last);
  if (verb === 'time') return time(libraries.get(name), file, Number(last));
  throw new Error(`cannot read the line: ${line}`);
}

for await (const line of createInterface({ input: process.stdin })) {
  writeSync(1, JSON.stringify(answer(line)) + '\n');
}
