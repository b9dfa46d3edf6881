import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CallLog } from '../../../src/audit/call-log.ts';
import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { linesOf, temporaryFolder } from '../../support/gateway.ts';
import { endedCall, toolWith } from './ended-call.ts';

function open(more: object = {}) {
  const file = path.join(temporaryFolder(), 'audit.jsonl');
  const rules = { enabled: true, arguments: 'off' as const, file, maxBytes: 10_000, files: 2, ...more };
  const logged: any[] = [];
  const written: string[] = [];
  const calls = new CallLog({
    rules,
    masker: new Masker(),
    log: createLog({ level: 'info', destination: { write: (line) => logged.push(JSON.parse(line)) } }),
    onWritten: () => written.push(tools().join(' ')),
  });
  function tools(): string[] {
    return linesOf(rules.file).map((line) => JSON.parse(line).tool);
  }
  return { calls, rules, logged, written, tools };
}

const callOf = (name: string) => endedCall({ params: { name } });

test('calls of one callback are written in one go when it has ended', async () => {
  const { calls, written, tools } = open();
  for (const name of ['a', 'b', 'c']) calls.onCallEnded(callOf(name));
  expect(tools()).toEqual([]);
  await Promise.resolve();
  expect(tools()).toEqual(['a', 'b', 'c']);
  expect(written).toEqual(['a b c']);
  calls.close();
});

test('a call that may do something is in the file before its answer leaves', async () => {
  const { calls, tools } = open();
  const seen: string[][] = [];
  calls.onCallEnded({ ...callOf('a'), deliver: () => seen.push(tools()) });
  expect(seen).toEqual([]);
  await Promise.resolve();
  expect(seen).toEqual([['a']]);
  calls.close();
});

test('a call that only reads is answered at once, and written in the same turn', async () => {
  const { calls, tools } = open();
  const seen: string[][] = [];
  const descriptor = toolWith('{"readOnlyHint":true}');
  calls.onCallEnded({ ...callOf('a'), descriptor, deliver: () => seen.push(tools()) });
  expect(seen).toEqual([[]]);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(tools()).toEqual(['a']);
  calls.close();
});

test('an answer that cannot be given keeps no other from being given', () => {
  const { calls, logged } = open();
  const seen: string[] = [];
  const fails = () => {
    throw new Error('no client');
  };
  calls.onCallEnded({ ...callOf('a'), deliver: fails });
  calls.onCallEnded({ ...callOf('b'), deliver: () => seen.push('b') });
  calls.close();
  expect(seen).toEqual(['b']);
  expect(logged.map(({ msg }) => msg)).toEqual(['a fault of the gateway while it answered a call']);
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

test('a file that cannot be written is reported once, and so is how much it lacks; the answers leave', () => {
  const { calls, rules, logged, tools } = open();
  mkdirSync(rules.file);
  const answered: string[] = [];
  for (const name of ['a', 'b']) {
    calls.onCallEnded({ ...callOf(name), deliver: () => answered.push(name) });
    calls.flush();
  }
  rmSync(rules.file, { recursive: true });
  calls.onCallEnded(callOf('c'));
  calls.close();
  expect(tools()).toEqual(['c']);
  expect(answered).toEqual(['a', 'b']);
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

test('it is said when the oldest file had to go', () => {
  const { calls, logged } = open({ maxBytes: 1 });
  for (const name of ['a', 'b', 'c']) {
    calls.onCallEnded(callOf(name));
    calls.flush();
  }
  expect(logged.map(({ event, files }) => [event, files])).toEqual([
    ['audit-file', 2],
    ['audit-file', 2],
  ]);
  calls.close();
});
