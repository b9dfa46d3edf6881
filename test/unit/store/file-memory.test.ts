import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FileMemory } from '../../../src/store/file-memory.ts';
import { stampOf } from '../../../src/store/file-stamp.ts';
import { writeWhole } from '../../../src/store/write-whole.ts';
import { temporaryFolder } from '../../support/gateway.ts';

function open() {
  const file = path.join(temporaryFolder(), 'file');
  return { file, memory: new FileMemory<string>() };
}

test('what was read is known until the file is written or forgotten', () => {
  const { file, memory } = open();
  writeFileSync(file, 'a');
  memory.onRead(file, stampOf(file), 'a');
  expect([memory.get(file), memory.isOwn(file)]).toEqual(['a', false]);
  writeFileSync(file, 'bb');
  expect(memory.get(file)).toBeUndefined();
  memory.onRead(file, stampOf(file), 'bb');
  memory.forget(file);
  expect(memory.get(file)).toBeUndefined();
});

test('a file is its own as long as nobody else replaces it', () => {
  const { file, memory } = open();
  memory.onWritten(file, writeWhole(file, 'a'), 'a');
  expect([memory.get(file), memory.isOwn(file)]).toEqual(['a', true]);
  writeFileSync(`${file}.other`, 'b');
  renameSync(`${file}.other`, file);
  expect([memory.get(file), memory.isOwn(file)]).toEqual([undefined, false]);
});

test('nothing is known of a file that could not be looked at', () => {
  const { file, memory } = open();
  memory.onRead(file, stampOf(file), 'a');
  expect([memory.get(file), memory.isOwn(file)]).toEqual([undefined, false]);
});
