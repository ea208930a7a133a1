// The same as schema_time.cpp with ajv: node schema_time.mjs AJV_FOLDER SCHEMA INSTANCES [MILLISECONDS]
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const [folder, schemaPath, instancesPath, milliseconds = '100'] = process.argv.slice(2);
const require = createRequire(folder + '/');
const schema = JSON.parse(readFileSync(schemaPath));
const id = schema.$schema ?? '';
const name = id.includes('2020-12') ? 'ajv/dist/2020' : id.includes('2019-09') ? 'ajv/dist/2019' : id.includes('draft-04') ? 'ajv-draft-04' : 'ajv';
const Ajv = require(name).default ?? require(name);
const budget = BigInt(milliseconds) * 1000000n;

function leastTime(call) {
    let batch = 1, best = Infinity;
    const start = process.hrtime.bigint();
    do {
        const begin = process.hrtime.bigint();
        for (let i = 0; i < batch; ++i) call();
        const spent = Number(process.hrtime.bigint() - begin);
        best = Math.min(best, spent / batch);
        if (spent < 50000) batch *= 2;
    } while (process.hrtime.bigint() - start < budget);
    return best;
}

const make = () => new Ajv({ strict: false, validateFormats: false, logger: false, validateSchema: false, meta: false }).compile(schema);
const compileStart = process.hrtime.bigint();
const validate = make();
const compile = Number(process.hrtime.bigint() - compileStart);
const instances = readFileSync(instancesPath, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
// Let the compiler of the engine finish, with all instances by turns, so that none is timed in code made for another.
const start = process.hrtime.bigint();
while (process.hrtime.bigint() - start < 8n * budget) for (const instance of instances) for (let i = 0; i < 20; ++i) validate(instance);
const times = instances.map((instance) => leastTime(() => validate(instance)));
const valid = instances.map((instance) => validate(instance));
console.log(JSON.stringify({ compile, times, valid }));
