import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDiscovery } from '../../../../src/era/modern/discovery.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type ResponseMessage, readMessage } from '../../../../src/wire/message.ts';
import { jsonTexts } from '../../wire/arbitraries.ts';

const read = (outcome: string) =>
  readDiscovery(readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,${outcome}}`))) as ResponseMessage);

const VERSIONS = '"supportedVersions":["2026-07-28","2025-11-25"]';

test.each([
  ['in _meta', '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m"}}'],
  ['beside the rest, as in drafts', '"serverInfo":{"name":"m"}'],
])('a modern server, whose name stands %s', (_where, info) => {
  expect(read(`"result":{${VERSIONS},"capabilities":{"tools":{}},"instructions":"Do.",${info}}`)).toEqual({
    kind: 'modern',
    discovery: { capabilities: { tools: {} }, serverInfo: { name: 'm' }, instructions: 'Do.' },
  });
});

test.each([
  ['"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}', 'ask-again'],
  ['"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"]}}', 'other'],
  ['"error":{"code":-32022,"message":"no"}', 'other'],
  ['"error":{"code":-32601,"message":"no","data":{"supported":["2026-07-28"]}}', 'other'],
  ['"error":"no"', 'other'],
  ['"result":{}', 'other'],
  ['"result":{"supportedVersions":["2027-01-01"]}', 'other'],
  ['"result":{"supportedVersions":"2026-07-28"}', 'other'],
  ['"result":null', 'other'],
])('%s: %s', (outcome, kind) => {
  expect(read(outcome).kind).toBe(kind);
});

test('whatever a server answers, nothing is thrown', () => {
  fc.assert(
    fc.property(fc.constantFrom('result', 'error'), jsonTexts, (member, value) => {
      expect(['other', 'modern', 'ask-again']).toContain(read(`"${member}":${value}`).kind);
    }),
  );
});
