import { expect, test } from 'vitest';
import { shownInfo } from '../../../../src/upstream/status/shown-info.ts';

const mask = (text: string) => text.replaceAll('secret', '***');

test('what a server says of itself is shown without secrets, terminal sequences and long texts', () => {
  const info = {
    name: 'server\u001b[31m',
    version: '1 secret',
    icons: Array.from({ length: 30 }, () => ({ src: `data:${'x'.repeat(1_000)}` })),
    size: 5,
    none: null,
  };
  const shown = shownInfo<Record<string, unknown>>(info, mask);
  expect(shown).toMatchObject({ name: 'server', version: '1 ***', size: 5, none: null });
  expect(shown.icons).toHaveLength(20);
  expect((shown.icons as { src: string }[])[0]!.src).toBe(`data:${'x'.repeat(194)}…`);
});

test('keys of a prototype are keys like any other', () => {
  const info = JSON.parse('{"__proto__":{"name":"secret"},"constructor":"x"}') as object;
  expect(JSON.stringify(shownInfo(info, mask))).toBe('{"__proto__":{"name":"***"},"constructor":"x"}');
});
