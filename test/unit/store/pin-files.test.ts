import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PinBook } from '../../../src/core/stores/pin-store.ts';
import { PinFiles } from '../../../src/store/pin-files.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const PINS: PinBook = new Map([
  ['t', { approved: { hash: 'h', definition: { name: 't' }, since: 's' } }],
  ['__proto__', { pending: { hash: 'i', definition: { name: '__proto__' }, since: 's', isWithheld: true } }],
]);

function open(folder = path.join(temporaryFolder(), 'pins'), config = '/a/viaduct.yaml') {
  const errors: string[] = [];
  const store = new PinFiles({ folder, config, onError: (_error, message) => errors.push(message) });
  const only = () => path.join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!);
  return { folder, store, errors, only };
}

describe('pins', () => {
  test('that a person has approved are written, or it is said that they are not', () => {
    const { folder, store, errors } = open();
    store.approve('up', PINS);
    expect(open(folder).store.load('up')).toEqual(PINS);
    const blocked = path.join(temporaryFolder(), 'file');
    writeFileSync(blocked, '');
    const other = open(path.join(blocked, 'pins'));
    expect(() => other.store.approve('up', PINS)).toThrow(/^Nothing was approved\. .*file.pins.* cannot be written: /);
    expect(other.store.load('up')).not.toEqual(PINS);
    expect(errors).toEqual([]);
  });

  test('that could not be written hold until they can be; then the file counts again', () => {
    const folder = path.join(temporaryFolder(), 'pins');
    writeFileSync(folder, 'in the way');
    const { store, errors } = open(folder);
    store.save('up', PINS);
    expect([store.load('up'), errors.length]).toEqual([PINS, 1]);
    rmSync(folder);
    store.save('up', PINS);
    open(folder).store.save('up', new Map());
    expect(store.load('up')).toEqual(new Map());
  });

  test('come back as they were saved, for their config and upstream only', () => {
    const { folder, store } = open();
    expect(store.load('up')).toBe('none');
    store.save('up', PINS);
    expect(open(folder).store.load('up')).toEqual(PINS);
    expect(open(folder).store.upstreams()).toEqual(['up']);
    expect(open(folder, '/b/viaduct.yaml').store.load('up')).toBe('none');
    expect(open(folder, '/b/viaduct.yaml').store.upstreams()).toEqual([]);
  });

  test('that cannot be read hide no others', () => {
    const { folder, store, errors } = open();
    store.save('up', PINS);
    // Also for root, who may read every file.
    mkdirSync(path.join(folder, 'other-0123456789abcdef.json'));
    expect(store.upstreams()).toEqual(['up']);
    expect(errors).toEqual([expect.stringContaining('other-0123456789abcdef.json cannot be read')]);
  });

  test('cut off somewhere are damaged once, put aside, and empty from then on', () => {
    const { store, only } = open();
    store.save('up', PINS);
    const whole = readFileSync(only(), 'utf8');
    for (let length = 0; length < whole.length; length += 7) {
      const { folder, store: fresh, errors } = open();
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, path.basename(only())), whole.slice(0, length));
      expect(fresh.load('up')).toBe('damaged');
      expect(fresh.load('up')).toEqual(new Map());
      const aside = readdirSync(folder).filter((name) => name.includes('.corrupt-'));
      expect(aside.map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual([whole.slice(0, length)]);
      expect(errors).toHaveLength(1);
    }
  });

  test.each([
    'null',
    '{"version":2,"config":"c","upstream":"up","tools":[]}',
    '{"version":1,"config":"c","upstream":"up","tools":[{"name":"t","approved":{"hash":1}}]}',
    '{"version":1,"config":"c","upstream":"up","tools":[null]}',
  ])('of another shape are damaged: %s', (text) => {
    const { store, only } = open();
    store.save('up', PINS);
    writeFileSync(only(), text);
    expect(store.load('up')).toBe('damaged');
  });

  test('that cannot be written hold as long as the store', () => {
    const folder = path.join(temporaryFolder(), 'file');
    writeFileSync(folder, 'in the way');
    const { store, errors } = open(folder);
    store.save('up', PINS);
    expect(store.load('up')).toBe(PINS);
    expect(errors[0]).toContain('could not be written');
  });

  test('that cannot be read are not taken for none', () => {
    const { folder, store, only, errors } = open();
    store.save('up', PINS);
    const file = only();
    rmSync(file);
    // A folder in its place fails for every user, the administrator included.
    mkdirSync(path.join(folder, path.basename(file)));
    expect(store.load('up')).toBe('unreadable');
    expect(errors).toEqual(['the pins of "up" cannot be read']);
  });

  test('that another process saves are noticed', async () => {
    const { folder, store } = open();
    const changed = new Promise<() => void>((resolve) => {
      const stop = store.watch(() => resolve(stop));
    });
    open(folder).store.save('up', PINS);
    (await changed)();
    expect(store.load('up')).toEqual(PINS);
  });

  test('that this process notes are no news, and those of another process are news of one upstream', async () => {
    const { folder, store } = open();
    const seen: (string | undefined)[] = [];
    let wake: () => void = () => undefined;
    const stop = store.watch((upstream) => {
      seen.push(upstream);
      wake();
    });
    store.load('other');
    store.load('up');
    store.save('other', PINS);
    store.save('up', new Map());
    const told = new Promise<void>((resolve) => {
      wake = resolve;
    });
    open(folder).store.save('up', PINS);
    open(folder).store.save('unknown', PINS);
    await told;
    stop();
    expect(new Set(seen)).toEqual(new Set(['up']));
    expect(store.load('up')).toEqual(PINS);
  });

  test('are read again only when their file was written', () => {
    const { folder, store, only } = open();
    store.save('up', PINS);
    const fresh = open(folder).store;
    const book = fresh.load('up');
    expect(fresh.load('up')).toBe(book);
    expect(store.load('up')).toBe(PINS);
    store.save('up', new Map([...PINS].slice(0, 1)));
    expect(fresh.load('up')).toEqual(new Map([...PINS].slice(0, 1)));
    expect(JSON.parse(readFileSync(only(), 'utf8'))).toMatchObject({ tools: [{ name: 't', approved: { hash: 'h' } }] });
  });
});
