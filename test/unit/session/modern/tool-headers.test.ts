import { expect, test } from 'vitest';
import type { CatalogueView } from '../../../../src/catalogue/catalogue-view.ts';
import { toolHeadersOf } from '../../../../src/session/modern/tool-headers.ts';

/** A catalogue with a tool "t" that declares this header; with no declaration if it is `undefined`. */
function catalogueWith(header?: string): CatalogueView {
  const property = { type: 'string', ...(header !== undefined && { 'x-mcp-header': header }) };
  const inputSchema = { type: 'object', properties: { region: property } };
  const descriptor = { text: JSON.stringify({ name: 't', inputSchema }) };
  const routes = new Map([
    ['t', { descriptor }],
    ['unlisted', { descriptor: undefined }],
  ]);
  return { routes: () => routes } as unknown as CatalogueView;
}

test('a tool has the headers that it declares, and others have none', () => {
  const declared = [{ header: 'Mcp-Param-Region', path: ['region'], type: 'string' }];
  const catalogue = catalogueWith('Region');
  expect(toolHeadersOf(catalogue, 't')).toEqual(declared);
  expect([toolHeadersOf(catalogue, 'unlisted'), toolHeadersOf(catalogue, 'none')]).toEqual([[], []]);
  expect(toolHeadersOf(catalogueWith(), 't')).toEqual([]);
});

test('a declaration is read once', () => {
  const catalogue = catalogueWith('Region');
  expect(toolHeadersOf(catalogue, 't')).toBe(toolHeadersOf(catalogue, 't'));
});

test('a tool whose declarations must be refused has none', () => {
  expect(toolHeadersOf(catalogueWith('not a token'), 't')).toEqual([]);
});
