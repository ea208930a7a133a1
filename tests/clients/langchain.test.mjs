// @langchain/openai, unchanged: invoke, stream, withStructuredOutput, bindTools.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { ada, startGateway, weather } from './harness.mjs';

const person = z.object({ name: z.string(), age: z.number().int() });
let gate;
before(async () => { gate = await startGateway('healing: {check_response_format: true}'); });
after(() => gate.stop());
const chat = (model, more = {}) =>
  new ChatOpenAI({ model, apiKey: 'none', maxRetries: 0, configuration: { baseURL: gate.base }, ...more });

test('invoke', async () => {
  assert.match((await chat('chat').invoke('Hi')).content, /^Hello there/);
});
test('stream', async () => {
  let text = '';
  for await (const piece of await chat('chat').stream('Hi')) { text += piece.content; }
  assert.match(text, /`code`\.$/);
});
for (const method of ['jsonSchema', 'jsonMode']) {
  for (const model of ['clean', 'fenced', 'prose']) {
    test(`structured output, ${method}, ${model}`, async () => {
      const r = await chat(model).withStructuredOutput(person, { method }).invoke('Who?');
      assert.deepEqual({ ...r }, ada);
    });
  }
}
test('asks again', async () => {
  const r = await chat('second', { modelKwargs: { plugins: [{ id: 'response-healing' }] } })
    .withStructuredOutput(person, { method: 'jsonSchema' }).invoke('Who?');
  assert.deepEqual({ ...r }, ada);
});
for (const model of ['tool', 'tool-text']) {
  test(`tools, ${model}`, async () => {
    const r = await chat(model).bindTools([weather]).invoke('Weather?');
    assert.deepEqual(r.tool_calls[0].args, { city: 'Paris', days: 3 });
    assert.equal(r.invalid_tool_calls?.length ?? 0, 0);
  });
  test(`tools, streamed, ${model}`, async () => {
    let whole;
    for await (const piece of await chat(model).bindTools([weather]).stream('Weather?')) {
      whole = whole ? whole.concat(piece) : piece;
    }
    assert.deepEqual(whole.tool_calls[0].args, { city: 'Paris', days: 3 });
  });
}
