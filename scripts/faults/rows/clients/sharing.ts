import assert from 'node:assert/strict';
import { isAlive } from '../../../../test/support/processes.ts';
import { inTime, listed, statusOf } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { until } from '../../scene.ts';

const OWNER_LEAVES: Fault = {
  id: 'S-owner-leaves',
  what: 'With `share: session`, the only client of an upstream leaves; later the process of another one is killed whenever it is there',
  holds: 'Every other client has all tools and can call them, and `sync` succeeds',
  async run(scene) {
    const log = scene.logFile('talkative');
    const entry = scene.fixture('talkative', [`--log=${log}`], { share: 'session' });
    const config = scene.config({ upstreams: { bad: entry } });
    await scene.serve(config);
    const living = () => scene.pidsIn(log).filter((pid) => isAlive(pid));
    const first = await scene.stdio(config);
    await listed(first.client, ['bad_echo']);
    await first.client.callText('bad_echo', { text: 'first' });
    first.client.end();
    await until('its process has ended', () => living().length === 0);
    const second = await scene.stdio(config);
    await listed(second.client, ['bad_echo']);
    assert.equal((await scene.viaduct(['sync', 'bad', '--config', config])).code, 0);
    await second.client.callText('bad_echo', { text: 'second' });
    const kill = () => {
      for (const pid of living()) process.kill(pid, 'SIGKILL');
    };
    const killing = setInterval(kill, 20);
    scene.onClose(() => clearInterval(killing));
    await until('it is given up', async () => (await statusOf(scene, config)).state === 'crash-loop', 40_000);
    clearInterval(killing);
    const third = await scene.stdio(config);
    await listed(third.client, ['bad_echo']);
    const text = await inTime(
      'the third client is served',
      10_000,
      third.client.callText('bad_echo', { text: 'third' }),
    );
    assert.equal(text, 'talkative: third');
    await listed(second.client, ['bad_echo']);
    assert.equal((await scene.viaduct(['sync', 'bad', '--config', config])).code, 0);
  },
};

/** The effects of one client on the others, at an upstream with a process for each client. */
export const SHARING_FAULTS: readonly Fault[] = [OWNER_LEAVES];
