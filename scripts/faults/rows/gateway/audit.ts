import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { hasEnded } from '../../../../test/support/processes.ts';
import { assertThat, inTime, listed, marked } from '../../expect.ts';
import { type Fault, quick } from '../../fault.ts';
import { type Scene, type StdioGateway, until } from '../../scene.ts';

const fileOf = (scene: Scene): string => path.join(scene.home, 'audit', 'audit.jsonl');

const configOf = (scene: Scene): string => scene.config({ upstreams: { bad: scene.hostile('ok') } });

async function connect(scene: Scene, config: string): Promise<StdioGateway> {
  const gateway = await scene.stdio(config);
  await listed(gateway.client, ['bad_echo']);
  return gateway;
}

/** The calls of a tool that `viaduct audit` shows, which brings the index up to date first. */
async function auditedCalls(scene: Scene, config: string, tool: string): Promise<number> {
  const { code, output } = await scene.viaduct(['audit', '--json', '--tool', tool, '--config', config]);
  assert.equal(code, 0, output);
  return output.split('\n').filter((line) => line.startsWith('{')).length;
}

const KILLED = quick({
  id: 'D-killed',
  what: 'The gateway is killed while a client calls as fast as it can a tool that may change something',
  holds: 'Each call that was answered is in the audit, once',
  async run(scene) {
    const config = configOf(scene);
    const { client, child } = await connect(scene, config);
    let answered = 0;
    const call = async (): Promise<void> => {
      for (;;) {
        await client.callText('bad_echo', { text: marked('x') });
        answered++;
      }
    };
    const callers = Array.from({ length: 8 }, () => call().catch(() => undefined));
    await until('some hundred calls', () => answered > 500);
    child.kill('SIGKILL');
    await hasEnded(child);
    await inTime('open calls end with the gateway', 10_000, Promise.all(callers));
    const inFile = scene.linesOf(fileOf(scene)).filter((line) => line.includes('"tool":"bad_echo"')).length;
    assertThat(`${inFile} lines of ${answered} answered calls`, inFile >= answered);
    assert.equal(await auditedCalls(scene, config, 'bad_echo'), inFile);
    assert.equal(await auditedCalls(scene, config, 'bad_echo'), inFile);
  },
});

const TORN = quick({
  id: 'D-torn-line',
  what: 'The last line of the audit is torn, as after a power cut, and the file goes on',
  holds: 'All whole lines are found, those behind the torn one too',
  async run(scene) {
    const config = configOf(scene);
    for (const text of ['before', 'after']) {
      const { client, child } = await connect(scene, config);
      await client.callText('bad_echo', { text });
      client.end();
      await hasEnded(child);
      if (text === 'before') appendFileSync(fileOf(scene), '{"at":"2026-01-01T00:00:00.000Z","sess');
    }
    assert.equal(await auditedCalls(scene, config, 'bad_echo'), 2);
  },
});

const UNWRITABLE = quick({
  id: 'D-unwritable',
  what: 'The audit cannot be written: there is a folder where its file should be',
  holds:
    'Calls are answered; the log says once that the audit is not written, and how many lines it lacks when it is written again',
  async run(scene) {
    const file = fileOf(scene);
    mkdirSync(file, { recursive: true });
    const config = configOf(scene);
    const gateway = await connect(scene, config);
    const { client } = gateway;
    for (const text of ['one', 'two', 'three']) assert.equal(await client.callText('bad_echo', { text }), text);
    rmdirSync(file);
    await client.callText('bad_echo', { text: 'four' });
    const log = gateway.stderr();
    const told = log.split('\n').filter((line) => line.includes('audit-file'));
    assert.equal(told.length, 2, log);
    assertThat('it names the lost lines', told[1]!.includes('"lost":3'));
    assert.equal(await auditedCalls(scene, config, 'bad_echo'), 1);
  },
});

/** The record of what was called. */
export const AUDIT_FAULTS: readonly Fault[] = [KILLED, TORN, UNWRITABLE];
