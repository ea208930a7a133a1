// What one JavaScript library makes of texts: a JSON string a line in, {"value"} or {"error"} a line out.
//
//     node answer.mjs FOLDER_WITH_NODE_MODULES LIBRARY
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { load_libraries, value_of } from './libraries.mjs';

// What a library prints is not our answer.
console.log = console.error = console.warn = console.info = console.debug = () => {};

const library = (await load_libraries(process.argv[2])).find((l) => l.name === process.argv[3]);

function answer(text) {
  try {
    const value = value_of(library, text);
    return value === undefined ? { error: 'no value' } : { value };
  } catch (error) {
    return { error: String(error?.message ?? error).slice(0, 200) };
  }
}

// A long answer may fill the pipe: what was not taken is written again.
function write_line(line) {
  let rest = Buffer.from(line + '\n');
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

for await (const line of createInterface({ input: process.stdin })) {
  write_line(JSON.stringify(answer(JSON.parse(line))));
}
