import { expect, test } from 'vitest';
import { Screenshots } from '../../../../src/workflows/webview/screenshots.ts';

const png = (blob: string) => ({ mimeType: 'image/png', blob });
const read = (screenshots: Screenshots, uri: string, id: string) => screenshots.read(uri, { client: { id } } as never);

test('a screenshot is read by the client that took it, and by no other', async () => {
  const screenshots = new Screenshots();
  const uri = screenshots.add('one', png('QQ=='));
  expect(screenshots.owns(uri)).toBe(true);
  expect(await read(screenshots, uri, 'one')).toEqual(png('QQ=='));
  await expect(read(screenshots, uri, 'two')).rejects.toMatchObject({ code: 'UNKNOWN_RESOURCE' });
  expect(screenshots.isFor(uri, { id: 'two' } as never)).toBe(false);
  screenshots.forget('one');
  await expect(read(screenshots, uri, 'one')).rejects.toMatchObject({ code: 'UNKNOWN_RESOURCE' });
});

test('of each client the newest five are kept', () => {
  const screenshots = new Screenshots();
  const uris = Array.from({ length: 7 }, () => screenshots.add('one', png('QQ==')));
  const other = screenshots.add('two', png('QQ=='));
  const kept = (id: string) => [...uris, other].filter((uri) => screenshots.isFor(uri, { id } as never));
  expect(kept('one')).toEqual(uris.slice(2));
  expect(kept('two')).toEqual([other]);
});

test('all together they have a limit, and the oldest go first', () => {
  const screenshots = new Screenshots();
  const large = png('A'.repeat(20 * 1_048_576));
  const uris = ['a', 'b', 'c', 'd'].map((id) => screenshots.add(id, large));
  expect(uris.map((uri, at) => screenshots.isFor(uri, { id: 'abcd'[at] } as never))).toEqual([false, true, true, true]);
});
