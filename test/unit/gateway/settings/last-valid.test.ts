import { describe, expect, test } from 'vitest';
import { parseRunnableConfig } from '../../../../src/config/load.ts';
import { withLastValid } from '../../../../src/gateway/settings/last-valid.ts';
import { OPTIONS } from '../../config/parse-text.ts';

const read = (upstreams: object) => parseRunnableConfig(JSON.stringify({ schemaVersion: 1, upstreams }), OPTIONS);

const good = { command: 'x' };
const before = read({ a: good, b: { command: 'old' }, c: good });

describe('an entry with a fault, in a config that is read again', () => {
  test('stays as it was, in its place', () => {
    const { config, kept } = withLastValid(read({ a: good, b: { comand: 'new' }, c: good }), before);
    expect(config.upstreams).toMatchObject([{ key: 'a' }, { key: 'b', command: 'old' }, { key: 'c' }]);
    expect(config.broken).toEqual([]);
    expect(kept).toMatchObject([{ key: 'b' }]);
  });

  test('does not run where it is new', () => {
    const { config, kept } = withLastValid(read({ a: good, d: { comand: 'new' } }), before);
    expect(config.upstreams.map(({ key }) => key)).toEqual(['a']);
    expect(config.broken).toMatchObject([{ key: 'd' }]);
    expect(kept).toEqual([]);
  });

  test('does not run where it was switched off', () => {
    const { config } = withLastValid(read({ b: { comand: 'new', disabled: true } }), before);
    expect(config.upstreams).toEqual([]);
    expect(config.broken).toMatchObject([{ key: 'b', isDisabled: true }]);
  });

  test('does not run where another entry has its prefix now', () => {
    const { config } = withLastValid(
      read({ b: { comand: 'new', prefix: 'z' }, d: { command: 'x', prefix: 'b' } }),
      before,
    );
    expect(config.upstreams).toMatchObject([{ key: 'd' }]);
    expect(config.broken).toMatchObject([{ key: 'b' }]);
  });
});
