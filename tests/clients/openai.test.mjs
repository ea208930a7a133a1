// The package openai, unchanged: create, stream, parse, tools.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { ada, person, startGateway, weather } from './harness.mjs';

let gate, client;
before(async () => {
  gate = await startGateway();
  client = new OpenAI({ baseURL: gate.base, apiKey: 'none' });
});
after(() => gate.stop());

const ask = (model, more = {}) => ({ model, messages: [{ role: 'user', content: 'Who?' }], ...more });
const healed = { response_schema: person };

describe('structured output', () => {
  for (const model of ['clean', 'fenced', 'prose', 'wrong-type', 'second', 'cut']) {
    test(model, async () => {
      const r = await client.chat.completions.create(ask(model, healed));
      assert.deepEqual(JSON.parse(r.choices[0].message.content), ada);
      assert.equal(r.choices[0].finish_reason, 'stop');
    });
    // What has been sent cannot be taken back: live streams heal, but ask again only while nothing went out.
    const policies = ['second', 'cut'].includes(model) ? ['buffer'] : ['buffer', 'live'];
    for (const policy of policies) {
      test(`${model}, streamed, ${policy}`, async () => {
        const stream = await client.chat.completions.create(
          ask(model, { ...healed, healing_options: { stream: policy }, stream: true }));
        let text = '', reason;
        for await (const chunk of stream) {
          text += chunk.choices[0]?.delta?.content ?? '';
          reason = chunk.choices[0]?.finish_reason ?? reason;
        }
        assert.deepEqual(JSON.parse(text), ada);
        assert.equal(reason, 'stop');
      });
    }
  }
  test('usage is that of all attempts', async () => {
    const r = await client.chat.completions.create(ask('second', healed));
    assert.equal(r.usage.prompt_tokens, 30);
    assert.equal(r.usage.completion_tokens, 11);
  });
  test('headers say what was done', async () => {
    const { response } = await client.chat.completions.create(ask('second', healed)).withResponse();
    assert.equal(response.headers.get('x-jsonheal-attempts'), '2');
    assert.equal(response.headers.get('x-jsonheal-verdict'), 'intact');
    const report = await (await fetch(`${gate.base}/healings/${response.headers.get('x-request-id')}`)).json();
    assert.equal(report.outcome, 'reasked');
    assert.equal(report.parts.length, 2);
  });
  test('json_schema with healing_options, by parse', async () => {
    const r = await client.chat.completions.parse(ask('fenced', {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'person', schema: person, healing_options: { max_attempts: 2 } },
      },
    }));
    assert.deepEqual(r.choices[0].message.parsed ?? JSON.parse(r.choices[0].message.content), ada);
  });
  for (const id of ['response-healing', 'response_healing']) {
    test(`the plugin ${id}`, async () => {
      const r = await client.chat.completions.create(
        ask('fenced', { response_format: { type: 'json_object' }, plugins: [{ id }] }));
      assert.deepEqual(JSON.parse(r.choices[0].message.content), ada);
    });
  }
  test('a refusal is no failure', async () => {
    const r = await client.chat.completions.create(ask('refusal', healed));
    assert.equal(r.choices[0].message.refusal, 'I cannot help with that.');
  });
});

describe('failure', () => {
  test('503 as documented, and the client does not try again', async () => {
    await assert.rejects(client.chat.completions.create(ask('never', healed)), (e) => {
      assert.equal(e.status, 503);
      assert.equal(e.code, 'service_unavailable');
      assert.equal(e.headers.get('retry-after'), '5');
      assert.equal(e.headers.get('x-should-retry'), 'false');
      assert.match(e.message, /Failed to generate a valid JSON response\. Please, try again later\./);
      assert.equal(e.error.attempts, 3);
      assert.ok(e.error.violations[0].message);
      return true;
    });
  });
  for (const policy of ['buffer', 'live']) {
    test(`in a stream, ${policy}`, async () => {
      const raw = await fetch(`${gate.base}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ask('misfit-late', { ...healed, healing_options: { stream: policy, max_attempts: 1 }, stream: true })),
      });
      const text = await raw.text();
      assert.match(text, /"finish_reason":"error"/);
      assert.match(text, /"error":\{/);
      assert.ok(text.trimEnd().endsWith('data: [DONE]'));
      const stream = await client.chat.completions.create(
        ask('misfit-late', { ...healed, healing_options: { stream: policy, max_attempts: 1 }, stream: true }));
      await assert.rejects(async () => { for await (const _ of stream); });
    });
  }
  test('a generation that cannot fit is stopped and asked for again', async () => {
    const began = Date.now();
    const stream = await client.chat.completions.create(
      ask('misfit-early', { ...healed, healing_options: { stream: 'live' }, stream: true }));
    let text = '';
    for await (const chunk of stream) { text += chunk.choices[0]?.delta?.content ?? ''; }
    assert.deepEqual(JSON.parse(text), ada);
    assert.ok(Date.now() - began < 1000, 'the first generation alone would take 1.3 s');
  });
  test('errors of the upstream keep their status', async () => {
    const e = await client.chat.completions.create(ask('status-400')).catch((x) => x);
    assert.equal(e.status, 400);
    assert.match(e.message, /no such parameter/);
  });
  test('a long Retry-After is capped', async () => {
    const raw = await fetch(`${gate.base}/chat/completions`, {
      method: 'POST', body: JSON.stringify(ask('status-429-long', healed)),
    });
    assert.equal(raw.status, 429);
    assert.equal(raw.headers.get('retry-after'), '60');
  });
  for (const [name, body, status, field] of [
    ['no JSON', '{', 400, null],
    ['no messages', JSON.stringify({ model: 'clean' }), 400, 'messages'],
    ['max_attempts 0', JSON.stringify(ask('clean', { response_schema: person, healing_options: { max_attempts: 0 } })), 400,
      'healing_options.max_attempts'],
    ['a schema that does not compile', JSON.stringify(ask('clean', { response_schema: { type: 'nonsense' } })), 400, 'response_schema'],
    ['wrong type', JSON.stringify(ask('clean', { stream: 'yes' })), 400, 'stream'],
  ]) {
    test(name, async () => {
      const raw = await fetch(`${gate.base}/chat/completions`, { method: 'POST', body });
      const e = (await raw.json()).error;
      assert.equal(raw.status, status);
      assert.deepEqual(Object.keys(e).filter((k) => ['message', 'type', 'param', 'code'].includes(k)).length, 4);
      if (field) { assert.equal(e.param, field); }
    });
  }
});

describe('tools', () => {
  for (const model of ['tool', 'tool-text', 'tool-cut']) {
    test(model, async () => {
      const r = await client.chat.completions.create(ask(model, { tools: [weather] }));
      const [call] = r.choices[0].message.tool_calls;
      const args = JSON.parse(call.function.arguments);
      assert.equal(args.city, 'Paris');
      if (model !== 'tool-cut') { assert.equal(args.days, 3); }
      assert.equal(r.choices[0].finish_reason, 'tool_calls');
    });
    test(`${model}, streamed`, async () => {
      const stream = client.chat.completions.stream(ask(model, { tools: [weather] }));
      const r = await stream.finalChatCompletion();
      const [call] = r.choices[0].message.tool_calls;
      assert.equal(JSON.parse(call.function.arguments).city, 'Paris');
      assert.ok(call.id);
      assert.equal(call.type, 'function');
      assert.equal(r.choices[0].finish_reason, 'tool_calls');
      if (model === 'tool-text') { assert.equal(r.choices[0].message.content.trim(), 'Let me look.'); }
    });
  }
  test('parallel calls', async () => {
    const stream = client.chat.completions.stream(ask('tool-parallel', { tools: [weather] }));
    const r = await stream.finalChatCompletion();
    assert.deepEqual(r.choices[0].message.tool_calls.map((c) => JSON.parse(c.function.arguments)),
      [{ city: 'Paris' }, { city: 'Rome', days: 2 }]);
  });
  test('the tool runner', async () => {
    const asked = [];
    const run = client.chat.completions.runTools({
      model: 'tool',
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [{ ...weather, function: { ...weather.function, parse: JSON.parse,
        function: (a) => { asked.push(a); return 'sunny'; } } }],
    });
    assert.equal(await run.finalContent(), 'It is sunny in Paris.');
    assert.deepEqual(asked, [{ city: 'Paris', days: 3 }]);
  });
});

describe('the rest', () => {
  test('plain chat goes through, whole and streamed', async () => {
    const whole = await client.chat.completions.create(ask('chat'));
    const stream = await client.chat.completions.create(ask('chat', { stream: true }));
    let text = '';
    for await (const chunk of stream) { text += chunk.choices[0]?.delta?.content ?? ''; }
    assert.equal(text, whole.choices[0].message.content);
    assert.match(text, /^Hello there/);
  });
  test('a prompt in place of messages', async () => {
    const raw = await fetch(`${gate.base}/chat/completions`, {
      method: 'POST', body: JSON.stringify({ model: 'fenced', prompt: 'Who?', response_schema: person }),
    });
    assert.deepEqual(JSON.parse((await raw.json()).choices[0].message.content), ada);
  });
  test('/v1/heal', async () => {
    const raw = await fetch(`${gate.base}/heal`, {
      method: 'POST', body: JSON.stringify({ text: "It is {name: 'Ada', age: '36'}", schema: person }),
    });
    const r = await raw.json();
    assert.deepEqual(JSON.parse(r.parts[0].after), ada);
    assert.equal(r.parts[0].fits, true);
  });
  test('health, readiness, metrics', async () => {
    assert.equal((await fetch(`${gate.root}/healthz`)).status, 200);
    assert.equal((await fetch(`${gate.root}/readyz`)).status, 200);
    const text = await (await fetch(`${gate.root}/metrics`)).text();
    assert.match(text, /gen_ai_client_operation_duration/);
    assert.match(text, /jsonheal_healings_total/);
  });
  test('the wrong method', async () => {
    assert.equal((await fetch(`${gate.base}/chat/completions`)).status, 405);
  });
});
