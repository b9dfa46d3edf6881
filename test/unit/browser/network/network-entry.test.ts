import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { CdpSession } from '../../../../src/browser/cdp/cdp-session.ts';
import { NetworkLog } from '../../../../src/browser/network/network-log.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a request does not keep the data that its address holds', async () => {
  const log = new NetworkLog();
  const onFault = (_: CdpSession, error: unknown) => {
    throw error;
  };
  const session = new CdpSession('s', async () => ({}), onFault);
  await log.follow(session);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 300; i++) session.emit('Network.requestWillBeSent', requestOf(i));
  expect(log.list({ limit: 1 })[0]!.url).toMatch(/^data:text\/plain,299-x{400,}…$/);
  await setImmediate();
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1_048_576);
});

/** As it comes from the browser: a text of its own of a megabyte. */
function requestOf(i: number): object {
  const url = Buffer.from(`data:text/plain,${i}-${'x'.repeat(1_048_576)}`).toString();
  return { requestId: `r${i}`, request: { url, method: 'GET' }, timestamp: 1 };
}
