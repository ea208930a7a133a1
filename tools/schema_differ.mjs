// Generated schemas and instances, each pair judged by ajv. Prints records for `jsonheal batch`, with ajv's answer.
// node schema_differ.mjs AJV_FOLDER SEED COUNT
import { createRequire } from 'node:module';

const [folder, seedText = '1', countText = '2000'] = process.argv.slice(2);
const require = createRequire(folder + '/');
const Ajv = require('ajv/dist/2020').default;
let state = BigInt(seedText) * 2654435761n + 88172645463325252n;
const random = (n) => {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    return Number(state % BigInt(n));
};
const pick = (list) => list[random(list.length)];
const keys = ['a', 'b', 'kind', 'name', 'x_1'];
const strings = ['', 'a', 'ab', 'abc', 'circle', 'é', '😀', '2024-01-01'];
const patterns = ['^a', 'b$', '^[a-z]+$', '^.{2,3}$', '^(?=.*b)', '\\d', '^(?!circle)', '\\p{L}'];
const scalar = () => pick([null, true, false, random(7), random(7) - 3.5, random(100) / 100, ...strings]);

function instance(depth) {
    const kind = depth > 2 ? 0 : random(4);
    if (kind === 1) return Array.from({ length: random(4) }, () => instance(depth + 1));
    if (kind >= 2) return Object.fromEntries(Array.from({ length: random(4) }, () => [pick(keys), instance(depth + 1)]));
    return scalar();
}

const some = (depth) => Array.from({ length: 1 + random(3) }, () => schema(depth + 1));
const rows = [
    (s) => { s.type = pick(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object', ['string', 'null'], ['object', 'array', 'integer']]); },
    (s) => { s.enum = [...new Set(Array.from({ length: 1 + random(4) }, scalar))]; },
    (s, d) => { s.const = instance(d + 2); },
    (s) => { s[pick(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])] = random(7) - 2; },
    (s) => { s.multipleOf = pick([1, 2, 0.5, 3]); },
    (s) => { s[pick(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])] = random(4); },
    (s) => { s.pattern = pick(patterns); },
    (s) => { s.uniqueItems = true; },
    (s, d) => { s.properties = Object.fromEntries(Array.from({ length: 1 + random(3) }, () => [pick(keys), schema(d + 1)])); },
    (s, d) => { s.properties = { kind: { const: pick(strings) }, [pick(keys)]: schema(d + 1) }; },
    (s) => { s.required = [...new Set([pick(keys), pick(keys)])]; },
    (s, d) => { s.additionalProperties = schema(d + 1); },
    (s, d) => { s.patternProperties = { [pick(['^a', '_', 'e$'])]: schema(d + 1) }; },
    (s, d) => { s.propertyNames = schema(d + 2); },
    (s, d) => { s.items = schema(d + 1); },
    (s, d) => { s.prefixItems = some(d); },
    (s, d) => { s.contains = schema(d + 1); if (random(2)) s.minContains = random(3); if (random(2)) s.maxContains = 1 + random(2); },
    (s, d) => { s[pick(['allOf', 'anyOf', 'oneOf'])] = some(d); },
    (s, d) => { s[pick(['anyOf', 'oneOf'])] = some(d); },
    (s, d) => { s.not = schema(d + 1); },
    (s, d) => { s.if = schema(d + 1); s.then = schema(d + 1); if (random(2)) s.else = schema(d + 1); },
    (s) => { s.dependentRequired = { [pick(keys)]: [pick(keys)] }; },
    (s, d) => { s.dependentSchemas = { [pick(keys)]: schema(d + 1) }; },
    (s, d) => { s.unevaluatedProperties = schema(d + 2); },
    (s, d) => { s.unevaluatedItems = schema(d + 2); },
    (s) => { s.$ref = '#/$defs/' + pick(['p', 'q']); },
];
function schema(depth) {
    if (depth > 3 || random(12) === 0) return random(4) ? pick([{ type: 'string' }, { type: 'object' }, { type: 'number' }]) : random(2) === 0;
    const s = {};
    for (let n = 1 + random(3); n > 0; --n) pick(rows)(s, depth);
    return s;
}
// Definitions refer to nothing, so that no reference comes back to itself.
const leaf = () => { let s; do { s = schema(2); } while (JSON.stringify(s).includes('$ref')); return s; };

for (let i = 0, made = 0; made < Number(countText) && i < 4 * Number(countText); ++i) {
    const s = schema(0);
    if (typeof s !== 'object') continue;
    s.$defs = { p: leaf(), q: leaf() };
    let validate;
    try {
        validate = new Ajv({ strict: false, logger: false, validateFormats: false }).compile(s);
    } catch { continue; }
    for (let k = 0; k < 5; ++k, ++made) {
        const value = instance(0);
        let answer;
        try {
            answer = validate(value);
        } catch { continue; } // code that ajv made and that does not run
        console.log(JSON.stringify({ id: answer, fn: 'validate', schema: s, input: JSON.stringify(value) }));
    }
}
