import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UriRecord } from '../../../../src/core/uris/uri-log.ts';
import { UriFiles } from '../../../../src/store/uris/uri-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const claim = (key: string, uri: string): UriRecord => ({ key, uri });

function open(folder = path.join(temporaryFolder(), 'uris'), config = '/a/viaduct.yaml') {
  const errors: string[] = [];
  const log = new UriFiles({ folder, config, onError: (_error, message) => errors.push(message) });
  const file = () => path.join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl'))!);
  return { folder, log, errors, file };
}

describe('the owners of uris', () => {
  test('come back as they were written, for their config only', () => {
    const { folder, log, file } = open();
    const records = [claim('a', 'file:///é \ud800'), { key: 'b', digest: 'd' }, { released: 'a' }];
    expect(log.read()).toEqual([]);
    expect(log.append(records)).toEqual(records);
    expect(open(folder).log.read()).toEqual(records);
    expect(open(folder, '/b/viaduct.yaml').log.read()).toEqual([]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('are told to each of several gateways in one order', () => {
    const { folder, log } = open();
    const other = open(folder).log;
    log.read();
    other.read();
    expect(log.append([claim('a', 'x')])).toEqual([claim('a', 'x')]);
    expect(other.append([claim('b', 'x')])).toEqual([claim('a', 'x'), claim('b', 'x')]);
    expect(log.append([])).toEqual([claim('b', 'x')]);
  });

  test('that another gateway has shortened are to be read as a whole', () => {
    const { folder, log } = open();
    const other = open(folder).log;
    log.append([claim('a', 'x'), claim('a', 'y')]);
    other.read();
    log.replace([claim('a', 'y')]);
    expect(log.append([claim('a', 'z')])).toEqual([claim('a', 'z')]);
    expect(other.append([claim('b', 'w')])).toBeUndefined();
    expect(other.read()).toEqual([claim('a', 'y'), claim('a', 'z')]);
    expect(other.append([claim('b', 'w')])).toEqual([claim('b', 'w')]);
  });

  test('that were cut off in the same file are to be read as a whole', () => {
    const { folder, log, file } = open();
    log.append([claim('a', 'x')]);
    const short = readFileSync(file(), 'utf8');
    log.append([claim('a', 'y')]);
    const other = open(folder).log;
    other.read();
    // Written in place: a new file may get the number of the one that it replaces, too.
    writeFileSync(file(), short);
    expect(other.append([claim('b', 'w')])).toBeUndefined();
    expect(readFileSync(file(), 'utf8')).toBe(short);
    expect(other.read()).toEqual([claim('a', 'x')]);
    expect(other.append([claim('b', 'w')])).toEqual([claim('b', 'w')]);
  });

  test('survive a line of which only a part was written', () => {
    const { folder, log, file } = open();
    log.append([claim('a', 'x')]);
    appendFileSync(file(), '{"key":"b","uri":"y","li');
    const next = open(folder).log;
    expect(next.read()).toEqual([claim('a', 'x')]);
    expect(next.append([claim('c', 'z')])).toEqual([claim('c', 'z')]);
    expect(open(folder).log.read()).toEqual([claim('a', 'x'), claim('c', 'z')]);
  });

  test.each(['no such file', '{"version":1,"conf', '\n', '\0'])('are put aside where the file holds %j', (text) => {
    const { folder, log, errors, file } = open();
    log.append([claim('a', 'x')]);
    writeFileSync(file(), text);
    const next = open(folder);
    expect(next.log.append([claim('b', 'x')])).toEqual([claim('b', 'x')]);
    expect(next.errors).toHaveLength(1);
    expect(errors).toEqual([]);
    expect(open(folder).log.read()).toEqual([claim('b', 'x')]);
  });

  test('are put aside where the file is none of ours, and begin anew', () => {
    const { folder, log, file } = open();
    log.append([claim('a', 'x')]);
    writeFileSync(file(), '{"version":99}\n{"key":"a","uri":"x"}\n');
    const next = open(folder);
    expect(next.log.read()).toEqual([]);
    expect(next.errors).toEqual([expect.stringContaining('.corrupt-')]);
    expect(next.log.append([claim('b', 'x')])).toEqual([claim('b', 'x')]);
    expect(readdirSync(folder).filter((name) => name.includes('.corrupt-'))).toHaveLength(1);
    expect(open(folder).log.read()).toEqual([claim('b', 'x')]);
  });

  test('hold in this process where they cannot be written', () => {
    const folder = path.join(temporaryFolder(), 'file');
    writeFileSync(folder, 'no folder');
    const { log, errors } = open(folder);
    for (const uri of ['x', 'y']) expect(log.append([claim('a', uri)])).toEqual([claim('a', uri)]);
    expect(errors).toHaveLength(1);
    log.replace([claim('a', 'x')]);
    expect(errors).toHaveLength(2);
  });

  test('are not written before anybody owns anything', () => {
    const { folder, log } = open();
    log.read();
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder, { recursive: true });
    log.append([claim('a', 'x')]);
    expect(readFileSync(open(folder).file(), 'utf8').split('\n')).toHaveLength(3);
  });
});
