// Times incremental JSON parsers of JavaScript on a text in small chunks.
//
//     node stream.mjs SUBJECT FILE CHUNK     seconds of processor time for one pass, the best of a few, as a line of JSON
//
// jsonriver and @streamparser/json go on where they stopped; partial-json and ai parse the whole text at every chunk.
import fs from 'node:fs';

const [subject, file, size] = process.argv.slice(2);
const text = fs.readFileSync(file, 'utf8');
const chunks = [];
for (let i = 0; i < text.length; i += Number(size)) chunks.push(text.slice(i, i + Number(size)));

async function* arriving() {
  for (const chunk of chunks) yield chunk;
}

const passes = {
  async jsonriver() {
    const {parse} = await import('jsonriver');
    let value;
    for await (value of parse(arriving()));
    return value;
  },
  async streamparser() {
    const {JSONParser} = await import('@streamparser/json');
    const parser = new JSONParser({emitPartialTokens: true, emitPartialValues: true});
    let value;
    parser.onValue = (event) => { if (event.stack.length === 0) value = event.value; };
    for (const chunk of chunks) parser.write(chunk);
    return value;
  },
  async 'streamparser whole'() {
    const {JSONParser} = await import('@streamparser/json');
    const parser = new JSONParser();
    let value;
    parser.onValue = (event) => { if (event.stack.length === 0) value = event.value; };
    for (const chunk of chunks) parser.write(chunk);
    return value;
  },
  async 'partial-json'() {
    const {parse} = await import('partial-json');
    let sofar = '', value;
    for (const chunk of chunks) value = parse(sofar += chunk);
    return value;
  },
  async ai() {
    const {parsePartialJson} = await import('ai');
    let sofar = '', result;
    for (const chunk of chunks) result = await parsePartialJson(sofar += chunk);
    return result.value;
  },
};

const wanted = JSON.stringify(JSON.parse(text));
const seconds = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1e6; };
let best = Infinity;
const slow = subject === 'partial-json' || subject === 'ai';
for (let i = 0; i < (slow ? 1 : 5); ++i) {
  const from = seconds();
  const value = await passes[subject]();
  best = Math.min(best, seconds() - from);
  if (JSON.stringify(value) !== wanted) throw new Error(subject + ' gives another value');
}
console.log(JSON.stringify({seconds: best, bytes: Buffer.byteLength(text)}));
