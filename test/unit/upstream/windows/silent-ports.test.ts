import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { PortFinding } from '../../../../src/upstream/windows/find-windows.ts';
import { WindowSearch } from '../../../../src/upstream/windows/window-search.ts';

afterEach(() => void vi.useRealTimers());

/** A port that takes connections and never answers; a question on it takes longer than anybody waits. */
async function openPort(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => void vi.advanceTimersByTime(4_001));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function searchOn(port: number, isKnown: boolean) {
  const taken: (readonly PortFinding[])[] = [];
  const search = new WindowSearch({
    ports: [port],
    context: { env: {}, log: createLog({ level: 'silent' }) },
    isKnown: () => isKnown,
    take: (findings) => {
      taken.push(findings);
      return false;
    },
    onLooked: () => undefined,
  });
  onTestFinished(() => search.stop('the test ends'));
  return { search, taken };
}

test.each([
  ['a stranger is left alone for twenty seconds', false],
  ['a window that was found before is asked each time', true],
])('of ports that do not answer, %s', async (_what, isKnown) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const port = await openPort();
  const { search, taken } = searchOn(port, isKnown);
  const silent = [{ port, problem: 'silent' }];
  search.begin();
  await search.look();
  expect(taken.at(-1)).toEqual(silent);
  await search.look();
  expect(taken.at(-1)).toEqual(isKnown ? silent : []);
  vi.setSystemTime(Date.now() + 20_000);
  await search.look();
  expect(taken.at(-1)).toEqual(silent);
  await search.lookEverywhere();
  expect(taken.at(-1)).toEqual(silent);
});
