// Starts the upstream and the gateway that the clients talk to.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tool = process.env.JSONHEAL;
if (!tool) { throw new Error('JSONHEAL must name the tool'); }

/** Runs `jsonheal serve …` and waits until it says where it listens. */
function start(args) {
  const child = spawn(tool, ['serve', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      said += bytes;
      const found = /http:\/\/[\d.]+:(\d+)\/v1/.exec(said);
      if (found) { resolve({ child, base: found[0], port: Number(found[1]), said: () => said }); }
    });
    child.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}

export async function startGateway(extra = '') {
  const upstream = await start(['--script', new URL('script.yaml', import.meta.url).pathname, '--port', '0']);
  const folder = mkdtempSync(join(tmpdir(), 'jsonheal-'));
  const config = join(folder, 'gateway.yaml');
  writeFileSync(config, `
listen: {port: 0}
upstreams:
  - name: scripted
    base_url: ${upstream.base}
    retries: 1
    retry_wait: 20ms
    timeouts: {first_token: 1s, idle: 1s}
log: {level: warning}
${extra}`);
  const gateway = await start(['--config', config]);
  return {
    base: gateway.base,
    root: gateway.base.replace('/v1', ''),
    upstreamBase: upstream.base,
    said: gateway.said,
    stop: () => { gateway.child.kill('SIGKILL'); upstream.child.kill('SIGKILL'); },
  };
}

export const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' }, about: { type: 'string' } },
  required: ['name', 'age'],
  additionalProperties: false,
};
export const ada = { name: 'Ada', age: 36 };

export const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
};
