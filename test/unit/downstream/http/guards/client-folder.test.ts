import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { folderOf } from '../../../../../src/downstream/http/guards/client-folder.ts';

const folderIn = (url: string, header?: string) =>
  folderOf({ url, headers: header === undefined ? {} : { 'x-viaduct-cwd': header } } as unknown as IncomingMessage);

test.each([
  ['/mcp', undefined, undefined],
  ['/mcp?cwd=/a/b', undefined, '/a/b'],
  ['/mcp?cwd=%2Fa%20b%2F%C3%A9', undefined, '/a b/é'],
  ['/mcp?cwd=a/b', undefined, undefined],
  ['/mcp?cwd=', undefined, undefined],
  ['/mcp?cwd=/a', '/b', '/b'],
  ['/mcp', '/a%20b/%C3%A9', '/a b/é'],
  ['/mcp', '/100%', '/100%'],
  ['/mcp', Buffer.from('/é').toString('latin1'), '/é'],
  ['/mcp', 'relative', undefined],
])('%s with the header %s: %s', (url, header, folder) => {
  expect(folderIn(url, header)).toBe(folder);
});
