// @instructor-ai/instructor, unchanged, in the modes that ask for JSON.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { z } from 'zod';
import { ada, startGateway } from './harness.mjs';

let gate;
before(async () => { gate = await startGateway('healing: {check_response_format: true}'); });
after(() => gate.stop());

// MD_JSON asks in the prompt alone, so the gateway does not know that the answer is to be JSON.
for (const [mode, models] of [['JSON', ['clean', 'fenced']], ['JSON_SCHEMA', ['clean', 'fenced']], ['MD_JSON', ['clean']]]) {
  for (const model of models) {
    test(`${mode}, ${model}`, async () => {
      const client = Instructor({ client: new OpenAI({ baseURL: gate.base, apiKey: 'none' }), mode });
      const r = await client.chat.completions.create({
        model, messages: [{ role: 'user', content: 'Who?' }], max_retries: 0,
        response_model: { name: 'Person', schema: z.object({ name: z.string(), age: z.number() }) },
      });
      assert.deepEqual({ name: r.name, age: r.age }, ada);
    });
  }
}
