import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyOf } from '../../../../../../src/commands/stdio/shim/lines/line.ts';
import { LineRelay } from '../../../../../../src/commands/stdio/shim/lines/line-relay.ts';
import { cutAt } from './lines-in.ts';

/** What comes through, line by line, of those that are admitted. */
function relayOf(isAdmitted: (line: string) => boolean = () => true, maxLine?: number) {
  const passed: Buffer[] = [];
  const seen: string[] = [];
  const overlong: true[] = [];
  const admit = (line: string) => seen.push(line) > 0 && isAdmitted(line);
  const relay = new LineRelay(
    {
      admit: (line) => admit(copyOf(line).toString()),
      write: (bytes) => passed.push(bytes),
      onOverlong: () => overlong.push(true),
    },
    maxLine,
  );
  return { relay, seen, overlong, text: () => Buffer.concat(passed).toString() };
}

test('lines that are admitted come through whole and in order, however they are cut', () => {
  const lines = fc.array(fc.string({ maxLength: 12 }).map((text) => `${text.replaceAll('\n', '')}\n`));
  const cuts = fc.array(fc.nat(100), { maxLength: 8 });
  const isAdmitted = (line: string) => line.length % 3 !== 0;
  fc.assert(
    fc.property(lines, cuts, (all, at) => {
      const { relay, seen, text } = relayOf(isAdmitted);
      for (const chunk of cutAt(all.join(''), at)) relay.push(chunk);
      expect(seen).toEqual(all);
      expect(text()).toBe(all.filter(isAdmitted).join(''));
    }),
  );
});

test('nothing of a line comes through before its end', () => {
  const { relay, text } = relayOf();
  relay.push(Buffer.from('one\ntw'));
  relay.push(Buffer.from('o and more'));
  expect(text()).toBe('one\n');
  relay.end();
  expect(text()).toBe('one\ntwo and more\n');
});

test('a line that is too long comes through as it comes, and the lines after it are seen again', () => {
  const { relay, seen, overlong, text } = relayOf(() => true, 8);
  for (const chunk of ['a\n0123', '4567', '89', 'x', 'y\nb\nc', '\n']) relay.push(Buffer.from(chunk));
  expect(text()).toBe('a\n0123456789xy\nb\nc\n');
  expect(seen).toEqual(['a\n', 'b\n', 'c\n']);
  expect(overlong).toHaveLength(1);
});
