import { expect, test } from 'vitest';
import { windowLines } from '../../../../src/commands/terminal/describe-upstream.ts';
import type { UpstreamStatus, WindowStatus } from '../../../../src/core/providers/provider-status.ts';

const statusOf = (windows?: readonly WindowStatus[]) => ({ ...(windows && { windows }) }) as unknown as UpstreamStatus;

test('the windows of an IDE have a line each, with nothing in it that a terminal would take for an order', () => {
  const rest = { dialect: 'rest', state: 'ready' } as const;
  const lines = windowLines(
    statusOf([
      { ...rest, url: 'http://127.0.0.1:9960/mcp', workspace: '/home/a/\u001b[2Jproject' },
      { ...rest, url: 'http://127.0.0.1:9961/mcp', workspace: '', state: 'backoff' },
      { ...rest, url: 'http://127.0.0.1:9962', dialect: 'json-rpc', workspace: null },
    ]),
  );
  expect(lines).toEqual([
    expect.stringMatching(/^window http:\/\/127\.0\.0\.1:9960\/mcp · \/home\/a\/.*project · ready$/),
    'window http://127.0.0.1:9961/mcp · no folder open · backoff',
    'window http://127.0.0.1:9962 · does not say its folder · ready',
  ]);
  expect(lines[0]).not.toContain('\u001b');
});

test('an upstream that is no IDE has none', () => {
  expect(windowLines(statusOf())).toEqual([]);
});
