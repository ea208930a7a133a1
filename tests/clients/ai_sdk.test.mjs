// The AI SDK with @ai-sdk/openai-compatible, unchanged: generateText, streamText, generateObject, streamObject, tools.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, generateText, stepCountIs, streamObject, streamText, tool } from 'ai';
import { z } from 'zod';
import { ada, startGateway } from './harness.mjs';

const person = z.object({ name: z.string(), age: z.number().int() });
let gate, provider;
before(async () => {
  gate = await startGateway('healing: {check_response_format: true}');
  provider = createOpenAICompatible({ name: 'jsonheal', baseURL: gate.base, supportsStructuredOutputs: true });
});
after(() => gate.stop());
const prompt = 'Who?';

test('generateText', async () => {
  const r = await generateText({ model: provider('chat'), prompt });
  assert.match(r.text, /^Hello there/);
  assert.equal(r.finishReason, 'stop');
});
test('streamText', async () => {
  let text = '';
  const r = streamText({ model: provider('chat'), prompt });
  for await (const piece of r.textStream) { text += piece; }
  assert.match(text, /^Hello there.*`code`\.$/);
});
for (const model of ['clean', 'fenced', 'prose', 'wrong-type']) {
  test(`generateObject, ${model}`, async () => {
    const r = await generateObject({ model: provider(model), schema: person, prompt });
    assert.deepEqual(r.object, ada);
  });
  test(`streamObject, ${model}`, async () => {
    const r = streamObject({ model: provider(model), schema: person, prompt });
    for await (const _ of r.partialObjectStream);
    assert.deepEqual(await r.object, ada);
  });
}
test('generateObject asks again where the provider option says so', async () => {
  const r = await generateObject({
    model: provider('second'), schema: person, prompt,
    providerOptions: { jsonheal: { plugins: [{ id: 'response-healing' }] } },
  });
  assert.deepEqual(r.object, ada);
});
const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string(), days: z.number().int().optional() }),
  execute: async () => 'sunny',
});
for (const model of ['tool', 'tool-text']) {
  test(`tools, ${model}`, async () => {
    const r = await generateText({
      model: provider(model), prompt, tools: { get_weather: weather }, stopWhen: stepCountIs(2),
    });
    assert.equal(r.text, 'It is sunny in Paris.');
    assert.deepEqual(r.steps[0].toolCalls[0].input, { city: 'Paris', days: 3 });
  });
  test(`tools, streamed, ${model}`, async () => {
    const r = streamText({
      model: provider(model), prompt, tools: { get_weather: weather }, stopWhen: stepCountIs(2),
    });
    let text = '';
    for await (const piece of r.textStream) { text += piece; }
    assert.match(text, /It is sunny in Paris\.$/);
    assert.equal((await r.steps)[0].toolCalls[0].toolName, 'get_weather');
  });
}
test('keep-alive comments are no parts of a stream', async () => {
  const slow = await startGateway('healing: {check_response_format: true, keep_alive: 100ms}');
  const p = createOpenAICompatible({ name: 'jsonheal', baseURL: slow.base, supportsStructuredOutputs: true });
  const r = streamText({ model: p('slow'), prompt, providerOptions: { jsonheal: { response_schema: { type: 'object' } } } });
  const parts = [];
  for await (const part of r.fullStream) { parts.push(part.type); }
  assert.ok(!parts.includes('error'), parts.join());
  slow.stop();
});
