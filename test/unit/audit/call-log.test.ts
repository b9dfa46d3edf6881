import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { BatchedCall } from '../../../src/audit/batch.ts';
import { CallLog } from '../../../src/audit/call-log.ts';
import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { linesOf, temporaryFolder } from '../../support/gateway.ts';
import { endedCall } from './ended-call.ts';

function open(more: object = {}) {
  const file = path.join(temporaryFolder(), 'audit.jsonl');
  const rules = { enabled: true, arguments: 'off' as const, file, maxBytes: 10_000, files: 2, ...more };
  const logged: any[] = [];
  const written: BatchedCall[] = [];
  const calls = new CallLog({
    rules,
    masker: new Masker(),
    log: createLog({ level: 'info', destination: { write: (line) => logged.push(JSON.parse(line)) } }),
    onWritten: (batch) => written.push(...batch),
  });
  return { calls, rules, logged, written, tools: () => linesOf(rules.file).map((line) => JSON.parse(line).tool) };
}

const callOf = (name: string) => endedCall({ params: { name } });

test('calls are written a moment after they ended, those of one moment in one go', async () => {
  const { calls, written, tools } = open();
  for (const name of ['a', 'b', 'c']) calls.onCallEnded(callOf(name));
  expect(tools()).toEqual([]);
  await expect.poll(tools).toEqual(['a', 'b', 'c']);
  expect(written).toHaveLength(3);
  calls.close();
});

test('are written at once when that is asked for, in order and once', () => {
  const { calls, tools } = open();
  calls.onCallEnded(callOf('a'));
  calls.flush();
  calls.onCallEnded(callOf('b'));
  calls.close();
  calls.flush();
  expect(tools()).toEqual(['a', 'b']);
});

test('go by new rules from the next one on', () => {
  const { calls, rules, tools } = open();
  const file = path.join(path.dirname(rules.file), 'other.jsonl');
  calls.onCallEnded(callOf('a'));
  calls.configure({ ...rules, file, enabled: false });
  expect(calls.isOn).toBe(false);
  calls.onCallEnded(callOf('b'));
  calls.close();
  expect(tools()).toEqual(['a']);
  expect(linesOf(file)).toHaveLength(1);
});

test('a file that cannot be written is reported once, and so is how much it lacks; the others get all', () => {
  const { calls, rules, logged, written, tools } = open();
  mkdirSync(rules.file);
  for (const name of ['a', 'b']) {
    calls.onCallEnded(callOf(name));
    calls.flush();
  }
  rmSync(rules.file, { recursive: true });
  calls.onCallEnded(callOf('c'));
  calls.close();
  expect(tools()).toEqual(['c']);
  expect(written).toHaveLength(3);
  expect(logged.map(({ msg, lost }) => [msg, lost])).toEqual([
    ['the audit cannot be written to its file', undefined],
    ['the audit is written again', 2],
  ]);
});

test('a call of which no line can be made costs no other its line', () => {
  const { calls, logged, tools } = open();
  calls.onCallEnded(callOf('a'));
  calls.onCallEnded({ ...callOf('b'), client: undefined } as unknown as EndedCall);
  calls.onCallEnded(callOf('c'));
  calls.close();
  expect(tools()).toEqual(['a', 'c']);
  expect(logged).toHaveLength(1);
});
