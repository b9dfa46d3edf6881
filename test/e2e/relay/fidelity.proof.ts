import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handedOn, modernJson, SHAPES, type Shape } from '../../../fixtures/data/shapes.ts';
import { type RawClient, type SpawnedClient, spawnClient } from '../../support/clients/raw-client.ts';
import { BIN, connectStdio, fixture, openStdio, writeConfig } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

/** Another way of spelling each kind of id; the answer must carry it back as it came. */
const IDS = ['"a1"', '0', '-1', '9007199254740991', '"\\u0041 \\"quoted\\""'];

/** What makes a request one of 2026-07-28. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The code alone is another one in 2026-07-28. */
const withCurrentCode = (text: string): string => text.replace('"code":-32002,', '"code":-32602,');

/** The text without the one thing that a gateway may add to a result of 2026-07-28. */
function withoutServerInfo(text: string): string {
  const member = /"io\.modelcontextprotocol\/serverInfo":\{"name":"[^{}]*\},?/;
  expect(text).toMatch(member);
  return text.replace(member, '').replace(/"_meta":\{\},?/, '');
}

const withoutType = (text: string): string => text.replace(/"resultType":"complete",?/, '');
/** A legacy client knows structured content as an object only. */
const withObject = (text: string): string =>
  text.replace(/"structuredContent":(\[[^\]]*\]|\d+)/, '"structuredContent":{"result":$1}');

describe('what an upstream answers', () => {
  let direct: SpawnedClient;
  let directModern: SpawnedClient;
  let gateway: SpawnedClient;
  let gatewayModern: SpawnedClient;

  beforeAll(async () => {
    const shapes = fixture('shapes');
    const modern = fixture('shapes', '--era=modern');
    direct = spawnClient(shapes.command, shapes.args);
    directModern = spawnClient(modern.command, modern.args);
    const config = writeConfig(
      {
        upstreams: { shapes, modern, other: fixture('talkative', '--label=other'), third: fixture('hostile') },
        lists: { graceMs: 20_000 },
      },
      process.env.VIADUCT_HOME,
    );
    const startGateway = () => spawnClient(process.execPath, [BIN, 'stdio', '--config', config], { ...process.env });
    [gateway, gatewayModern] = [startGateway(), startGateway()];
    await Promise.all([direct.client.initialize(), gateway.client.initialize()]);
    await Promise.all([gateway.client.toolNames(), gatewayModern.client.request('tools/list', { _meta: ENVELOPE })]);
    // The first result without the promised structured content is flagged, and the output schema is withdrawn.
    for (const tool of ['shapes_shape', 'modern_shape']) {
      expect(await answer(gateway, tool, 'empty content', '1')).toContain('"isError":true');
      expect(await answer(gatewayModern, tool, 'empty content', '1', ENVELOPE)).toContain('"isError":true');
    }
  });

  afterAll(() => Promise.all([direct, directModern, gateway, gatewayModern].map(({ child }) => endChild(child))));

  const answer = async ({ client }: { client: RawClient }, tool: string, shape: string, id: string, meta?: object) =>
    (await client.request('tools/call', { name: tool, arguments: { name: shape }, _meta: meta }, id)).text;
  const frame = (id: string, { outcome }: Shape, json: string) => `{"jsonrpc":"2.0","id":${id},"${outcome}":${json}}`;

  test.each(SHAPES)('$name arrives byte for byte', async (shape) => {
    for (const id of IDS) {
      const relayed = await answer(gateway, 'shapes_shape', shape.name, id);
      expect(await answer(direct, 'shape', shape.name, id)).toBe(frame(id, shape, shape.json));
      expect(relayed).toBe(frame(id, shape, handedOn(shape, 'legacy')));
    }
  });

  test.each(SHAPES)('$name, modern to modern: nothing is added but the name of the server', async (shape) => {
    for (const id of IDS) {
      const relayed = await answer(gatewayModern, 'modern_shape', shape.name, id, ENVELOPE);
      const own = await answer(directModern, 'shape', shape.name, id, ENVELOPE);
      expect(own).toBe(frame(id, shape, modernJson(shape)));
      const passed = frame(id, shape, modernJson({ ...shape, json: handedOn(shape, 'modern') }));
      expect(shape.outcome === 'error' ? relayed : withoutServerInfo(relayed)).toBe(withCurrentCode(passed));
    }
  });

  test.each(SHAPES)(
    '$name, modern server, legacy client: the type is taken out, content made an object',
    async (shape) => {
      for (const id of IDS) {
        const relayed = await answer(gateway, 'modern_shape', shape.name, id);
        // Ids of elicitations of two upstreams never meet at a client.
        const json = handedOn(shape, 'modern').replace('"elicitationId":"e1"', '"elicitationId":"modern/e1"');
        expect(relayed).toBe(frame(id, shape, withObject(withoutType(json))));
      }
    },
  );

  // A URL to visit is no error any more, but a question: see the matrix of eras.
  const errorsBoth = SHAPES.filter(({ name }) => name !== 'url elicitation required');
  test.each(errorsBoth)('$name, legacy server, modern client: type and name of the server are added', async (shape) => {
    for (const id of IDS) {
      const relayed = await answer(gatewayModern, 'shapes_shape', shape.name, id, ENVELOPE);
      if (shape.outcome === 'error') expect(relayed).toBe(withCurrentCode(frame(id, shape, shape.json)));
      else {
        expect(relayed).toContain('"resultType":"complete"');
        expect(withoutType(withoutServerInfo(relayed))).toBe(frame(id, shape, withoutType(handedOn(shape, 'legacy'))));
      }
    }
  });

  test('the table has at least 25 shapes', () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(25);
  });

  test.each(['shapes', 'modern'])(
    'a listed tool differs from its own entry in nothing but the name: %s',
    async (upstream) => {
      const own = (await direct.client.request('tools/list')).text;
      // Of its own: some of the shapes break the tool's output schema, and then it is offered without.
      const flags = upstream === 'modern' ? ['--era=modern'] : [];
      const config = writeConfig({
        upstreams: { [upstream]: fixture('shapes', ...flags) },
        lists: { graceMs: 20_000 },
      });
      const entry = JSON.parse(own).result.tools[0];
      const expected = [{ ...entry, name: `${upstream}_shape` }];
      const fresh = await connectStdio(config);
      expect((await fresh.request('tools/list')).value.result).toEqual({ tools: expected });
      const client = await openStdio(config);
      expect((await client.request('tools/list', { _meta: ENVELOPE })).value.result).toMatchObject({
        tools: expected,
        resultType: 'complete',
        cacheScope: 'private',
      });
    },
  );
});
