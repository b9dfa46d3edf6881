import { expect, test } from 'vitest';
import { tcpPlaceOf } from '../../../../src/gateway/serving/tcp-address.ts';

const CONFIGURED = { host: '127.0.0.1', port: 9100 };

test.each([
  [undefined, undefined, undefined],
  [undefined, '  ', undefined],
  [CONFIGURED, undefined, { address: CONFIGURED, source: 'server.tcp' }],
  [CONFIGURED, '', { address: CONFIGURED, source: 'server.tcp' }],
  [CONFIGURED, ':9000', { address: { host: '127.0.0.1', port: 9000 }, source: 'MCP_ADDR' }],
  [undefined, '/run/mcp.sock', { address: { path: '/run/mcp.sock' }, source: 'MCP_ADDR' }],
])('with %j in the config and MCP_ADDR=%j it is %j', (tcp, MCP_ADDR, place) => {
  expect(tcpPlaceOf({ tcp }, { MCP_ADDR })).toEqual(place);
});

test.each(['9000', 'tcp://127.0.0.1:9000', 'run/mcp.sock'])('MCP_ADDR=%s is refused', (MCP_ADDR) => {
  expect(() => tcpPlaceOf({ tcp: CONFIGURED }, { MCP_ADDR })).toThrow(`MCP_ADDR is not an address`);
});
