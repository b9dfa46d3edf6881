import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHAPES } from '../../fixtures/data/shapes.ts';
import { BIN, connectStdio, fixture, writeConfig } from '../support/gateway.ts';
import { type RawClient, type SpawnedClient, spawnClient } from '../support/raw-client.ts';

/** Another way of spelling each kind of id; the answer must carry it back as it came. */
const IDS = ['"a1"', '0', '-1', '9007199254740991', '"\\u0041 \\"quoted\\""'];

describe('what an upstream answers', () => {
  let direct: SpawnedClient;
  let gateway: SpawnedClient;

  beforeAll(async () => {
    const shapes = fixture('shapes');
    direct = spawnClient(shapes.command, shapes.args);
    const config = writeConfig(
      {
        upstreams: { shapes, other: fixture('talkative', '--label=other'), third: fixture('hostile') },
      },
      process.env.VIADUCT_HOME,
    );
    gateway = spawnClient(process.execPath, [BIN, 'stdio', '--config', config], { ...process.env });
    await Promise.all([direct.client.initialize(), gateway.client.initialize()]);
    await gateway.client.toolNames();
  });

  afterAll(() => {
    direct.child.kill();
    gateway.child.kill();
  });

  const answer = async (client: RawClient, tool: string, shape: string, id: string) =>
    (await client.request('tools/call', { name: tool, arguments: { name: shape } }, id)).text;

  test.each(SHAPES)('$name arrives byte for byte', async ({ name, outcome, json }) => {
    for (const id of IDS) {
      const relayed = await answer(gateway.client, 'shapes_shape', name, id);
      expect(relayed).toBe(await answer(direct.client, 'shape', name, id));
      expect(relayed).toBe(`{"jsonrpc":"2.0","id":${id},"${outcome}":${json}}`);
    }
  });

  test('the table has at least 25 shapes', () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(25);
  });

  test('a listed tool differs from its own entry in nothing but the name', async () => {
    const own = (await direct.client.request('tools/list')).text;
    // Of its own: some of the shapes break the tool's output schema, and then it is offered without.
    const fresh = await connectStdio(writeConfig({ upstreams: { shapes: fixture('shapes') } }));
    const listed = (await fresh.request('tools/list')).value.result.tools;
    const entry = JSON.parse(own).result.tools[0];
    expect(listed.find((tool: any) => tool.name === 'shapes_shape')).toEqual({ ...entry, name: 'shapes_shape' });
  });
});
