import { expect, test } from 'vitest';
import { statusWithoutWindows, windowStatus } from '../../../../src/upstream/windows/windows-status.ts';

const WINDOW = { port: 1, dialect: 'rest', url: 'http://127.0.0.1:1/api' } as const;
const of = (workspace: string | undefined, status: object) =>
  windowStatus({ ...WINDOW, workspace, upstream: { status: () => status as never } });

test('a window is shown with its folder, and with its server once that is known', () => {
  expect(of('/a', { state: 'ready', serverInfo: { name: 'x' } })).toEqual({
    url: WINDOW.url,
    dialect: 'rest',
    workspace: '/a',
    state: 'ready',
    serverInfo: { name: 'x' },
  });
  const early = of(undefined, { state: 'starting' });
  expect(early).toMatchObject({ workspace: null, state: 'starting' });
  expect(early).not.toHaveProperty('serverInfo');
});

test('without a window, the status says how the search stands', () => {
  const status = (search: Parameters<typeof statusWithoutWindows>[1]['search']) =>
    statusWithoutWindows({ id: 'ide', prefix: 'i' }, { search, since: 0, nothingFound: 'nothing', opened: 3 });
  expect(status({ name: 'idle' })).toMatchObject({
    key: 'ide',
    prefix: 'i',
    state: 'idle',
    since: '1970-01-01T00:00:00.000Z',
    starts: 3,
    windows: [],
  });
  for (const name of ['idle', 'searching'] as const) {
    expect(status({ name })).not.toHaveProperty('reason');
    expect(status({ name })).not.toHaveProperty('retryAt');
  }
  expect(status({ name: 'searching' }).state).toBe('starting');
  const stopped = status({ name: 'stopped', reason: 'by hand' });
  expect(stopped).toMatchObject({ state: 'stopped', reason: 'by hand' });
  expect(stopped).not.toHaveProperty('retryAt');
  expect(status({ name: 'looked', at: 0, nextAt: 1_000 })).toMatchObject({
    state: 'backoff',
    reason: 'nothing',
    retryAt: '1970-01-01T00:00:01.000Z',
  });
});
