import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeHeaderValue } from '../../../../src/era/http/header-values.ts';
import { headerProblem, type RequestHeaders, standardHeadersOf } from '../../../../src/era/http/http-headers.ts';
import { type ParameterHeader, parameterValue } from '../../../../src/era/http/parameter-headers.ts';
import { lastMember, membersOf } from '../../../../src/wire/lens.ts';

function standard(method: string, params: unknown) {
  const text = Buffer.from(JSON.stringify(params));
  return standardHeadersOf(method, text, membersOf(text));
}

test.each([
  ['tools/call', { name: 'a', uri: 'b' }, 'a'],
  ['prompts/get', { name: 'a' }, 'a'],
  ['resources/read', { name: 'a', uri: 'file:///é' }, 'file:///é'],
  ['tasks/get', { taskId: 't' }, 't'],
  ['tasks/update', { taskId: 't' }, 't'],
  ['tasks/cancel', { taskId: 't' }, 't'],
])('%s has its name in a header', (method, params, name) => {
  expect(standard(method, params)).toEqual({ 'Mcp-Method': method, 'Mcp-Name': name });
});

test.each([
  ['tools/list', { name: 'a' }],
  ['server/discover', {}],
  ['completion/complete', { ref: { name: 'a' } }],
  ['tools/call', { name: 7 }],
  ['tools/call', {}],
])('%s of %j has none', (method, params) => {
  expect(standard(method, params)).toEqual({ 'Mcp-Method': method });
});

const REGION: ParameterHeader = { header: 'Mcp-Param-Region', path: ['region'], type: 'string' };
const COUNT: ParameterHeader = { header: 'Mcp-Param-Count', path: ['deep', 'count'], type: 'integer' };
const FLAG: ParameterHeader = { header: 'Mcp-Param-Flag', path: ['flag'], type: 'boolean' };

function problem(
  headers: RequestHeaders,
  args: string,
  declarations: readonly ParameterHeader[] = [REGION, COUNT, FLAG],
) {
  const text = Buffer.from(`{"name":"tool","arguments":${args}}`);
  const request = { method: 'tools/call', version: '2026-07-28', text, params: membersOf(text) };
  return headerProblem(headers, request, declarations);
}

const GOOD = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tool' };

describe('standard headers', () => {
  test('that fit pass', () => {
    expect(problem(GOOD, '{}')).toBeUndefined();
    expect(problem({ ...GOOD, 'mcp-name': '=?base64?dG9vbA==?=' }, '{}')).toBeUndefined();
    expect(problem({ ...GOOD, 'mcp-name': ['tool'] }, '{}')).toBeUndefined();
  });

  test.each<[RequestHeaders, string]>([
    [{ ...GOOD, 'mcp-protocol-version': undefined }, 'the header MCP-Protocol-Version is missing'],
    [
      { ...GOOD, 'mcp-protocol-version': '2025-11-25' },
      'the header MCP-Protocol-Version says "2025-11-25", the body says "2026-07-28"',
    ],
    [{ ...GOOD, 'mcp-method': undefined }, 'the header Mcp-Method is missing'],
    [{ ...GOOD, 'mcp-method': 'TOOLS/CALL' }, 'the header Mcp-Method says "TOOLS/CALL", the body says "tools/call"'],
    [{ ...GOOD, 'mcp-name': undefined }, 'the header Mcp-Name is missing'],
    [{ ...GOOD, 'mcp-name': [] }, 'the header Mcp-Name is missing'],
    [{ ...GOOD, 'mcp-name': 'other' }, 'the header Mcp-Name says "other", the body says "tool"'],
    [{ ...GOOD, 'mcp-name': ['tool', 'other'] }, 'the header Mcp-Name occurs more than once'],
    [{ ...GOOD, 'mcp-name': 'töol' }, 'the header Mcp-Name has characters that are not allowed, or bad Base64'],
    [{ ...GOOD, 'mcp-name': '=?base64?!?=' }, 'the header Mcp-Name has characters that are not allowed, or bad Base64'],
  ])('%j: %s', (headers, expected) => expect(problem(headers, '{}')).toBe(expected));
});

describe('headers of arguments', () => {
  test.each<[RequestHeaders, string]>([
    [{ 'mcp-param-region': 'us' }, '{"region":"us"}'],
    [{ 'mcp-param-region': '=?base64?w6k=?=' }, '{"region":"\\u00e9"}'],
    [{ 'mcp-param-region': '=?base64?77+9?=' }, '{"region":"\\ud800"}'],
    [{ 'mcp-param-count': '42.0' }, '{"deep":{"count":42}}'],
    [{ 'mcp-param-count': '42' }, '{"deep":{"count":42.0}}'],
    [{ 'mcp-param-count': '1e3' }, '{"deep":{"count":"1e3"}}'],
    [{ 'mcp-param-flag': 'false' }, '{"flag":false}'],
    [{}, '{"region":null,"deep":{}}'],
    [{}, '{"deep":{"count":9007199254740993}}'],
    [{ 'mcp-param-other': 'é' }, '{}'],
  ])('%j fits %s', (headers, args) => expect(problem({ ...GOOD, ...headers }, args)).toBeUndefined());

  test.each<[RequestHeaders, string, string]>([
    [{}, '{"region":"us"}', 'the header Mcp-Param-Region is missing'],
    [{ 'mcp-param-region': 'eu' }, '{"region":"us"}', 'the header Mcp-Param-Region says "eu", the body says "us"'],
    [{ 'mcp-param-count': '43' }, '{"deep":{"count":42}}', 'the header Mcp-Param-Count says "43", the body says "42"'],
    [
      { 'mcp-param-count': '0x2a' },
      '{"deep":{"count":42}}',
      'the header Mcp-Param-Count says "0x2a", the body says "42"',
    ],
    [
      { 'mcp-param-count': '42.0' },
      '{"deep":{"count":"42"}}',
      'the header Mcp-Param-Count says "42.0", the body says "42"',
    ],
    [{ 'mcp-param-flag': 'True' }, '{"flag":true}', 'the header Mcp-Param-Flag says "True", the body says "true"'],
    [{ 'mcp-param-region': 'us' }, '{"region":null}', 'the header Mcp-Param-Region has no argument in the body'],
    [{ 'mcp-param-region': 'us' }, '{}', 'the header Mcp-Param-Region has no argument in the body'],
    [
      { 'mcp-param-region': '=?base64?SGVsbG8?=' },
      '{"region":"Hello"}',
      'the header Mcp-Param-Region has characters that are not allowed, or bad Base64',
    ],
  ])('%j does not fit %s', (headers, args, expected) => {
    expect(problem({ ...GOOD, ...headers }, args)).toBe(expected);
  });
});

test('headers that a client makes by the rules always fit', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), value, value, (name, region, count) => {
      const text = Buffer.from(JSON.stringify({ name, arguments: { region, deep: { count } } }));
      const params = membersOf(text);
      const headers: Record<string, string> = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': encodeHeaderValue(standardHeadersOf('tools/call', text, params)['Mcp-Name']!),
      };
      for (const { header, path } of [REGION, COUNT]) {
        const found = parameterValue(text, lastMember(params, 'arguments'), path);
        if (found !== undefined) headers[header.toLowerCase()] = encodeHeaderValue(found);
      }
      const request = { method: 'tools/call', version: '2026-07-28', text, params };
      expect(headerProblem(headers, request, [REGION, COUNT])).toBeUndefined();
    }),
  );
});
