import { expect, test } from 'vitest';
import type { NotificationMessage } from '../../../../src/wire/message.ts';
import { read } from '../modern-setup.ts';
import { legacyParts, levelled, logMessage } from './setup.ts';

test('the level is told to each provider once, and again after it was changed', () => {
  const told: string[] = [];
  const { logLevel, catalogue } = legacyParts({}, [levelled(told, 'a')]);
  logLevel.tell();
  expect(told).toEqual([]);
  logLevel.set('error');
  logLevel.tell();
  expect(told).toEqual(['a s error']);
  Object.assign(catalogue, { providers: [...catalogue.providers, levelled(told, 'b')] });
  logLevel.tell();
  expect(told).toEqual(['a s error', 'b s error']);
  logLevel.set('info');
  expect(told.slice(2)).toEqual(['a s info', 'b s info']);
});

test('a provider that comes back after it was replaced is told again', () => {
  const told: string[] = [];
  const { logLevel, catalogue } = legacyParts({}, [levelled(told, 'a')]);
  logLevel.set('error');
  Object.assign(catalogue, { providers: [levelled(told, 'a')] });
  logLevel.tell();
  expect(told).toEqual(['a s error', 'a s error']);
});

test('messages below the level are not for the client; without a level all are', () => {
  const { logLevel, introduction } = legacyParts();
  expect(logLevel.wants(logMessage('debug'))).toBe(true);
  logLevel.set('warning');
  expect(['debug', 'notice', 'warning', 'error'].map((level) => logLevel.wants(logMessage(level)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(introduction.facts.logLevel).toBe('warning');
  const other = read<NotificationMessage>('{"jsonrpc":"2.0","method":"notifications/x","params":{"level":"debug"}}');
  expect(logLevel.wants(other)).toBe(true);
});
