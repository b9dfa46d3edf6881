import { expect, test } from 'vitest';
import { attemptOf } from '../../../../../src/commands/doctor/checks/attempt.ts';
import { remoteEntryOf } from '../../../upstream/entries.ts';

test.each([
  ['http', 'https://example.com/mcp?key=secret', 'curl -i https://example.com/mcp'],
  ['sse', 'http://127.0.0.1:3000/sse', 'curl -iN http://127.0.0.1:3000/sse'],
  ['websocket', 'wss://example.com/mcp', 'curl -i https://example.com/mcp'],
  ['tcp', 'tcp://[::1]:9100', 'nc -vz ::1 9100'],
  ['unix', 'unix:///run/a b.sock', "nc -vzU '/run/a b.sock'"],
  ['unix', 'unix:///run/$(id).sock', "nc -vzU '/run/$(id).sock'"],
  ['tcp', 'tcp://a;id:9100', "nc -vz 'a;id' 9100"],
  ['http', 'http://example.com/a;b$(id)', "curl -i 'http://example.com/a;b$(id)'"],
  ['sse', "http://example.com/o'neill", String.raw`curl -iN 'http://example.com/o'\''neill'`],
  ['websocket', 'ws://example.com/$(id)', "curl -i 'http://example.com/$(id)'"],
] as const)('a server of the type %s is tried with a command that reaches it', (type, url, command) => {
  expect(attemptOf(remoteEntryOf(url, { type }))).toBe(command);
});
