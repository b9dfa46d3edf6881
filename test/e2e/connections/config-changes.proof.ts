import { describe, expect, test } from 'vitest';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import {
  connectStdio,
  fixture,
  freshHome,
  linesOf,
  openServe,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';

interface Site {
  readonly url: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rewrite: (changed: object) => void;
}

/** A gateway with a config that a test can change while it runs. */
async function serve(config: object): Promise<Site> {
  const folder = temporaryFolder();
  const file = writeConfig({ lists: { graceMs: 20_000 }, ...config }, folder);
  const { url, env } = await openServe(file, freshHome());
  return {
    url,
    env,
    config: file,
    rewrite: (changed) => void writeConfig({ lists: { graceMs: 20_000 }, ...changed }, folder),
  };
}

async function connect(kind: 'v1' | 'v2 pinned', url: string): Promise<EraClient> {
  const client = await connectClient(kind, 'agent', { url });
  atEnd(() => client.close());
  return client;
}

const updatesOf = ({ heard }: EraClient, uri: string) =>
  heard.filter(({ method, params }) => method === 'notifications/resources/updated' && params.uri === uri);

const ROWS = (['v1', 'v2 pinned'] as const).flatMap((client) =>
  (['legacy', 'modern'] as const).flatMap((upstream) =>
    (['gateway', 'session', 'auto'] as const).map((share) => ({ client, upstream, share })),
  ),
);

describe('a subscription outlives a change of its entry in the config', () => {
  test.each(ROWS)('client $client, $upstream upstream, share: $share', async ({ client: kind, upstream, share }) => {
    const log = `${temporaryFolder()}/log`;
    const entry = { ...fixture('eras', `--era=${upstream}`, '--label=e', `--log=${log}`), share };
    const { url, rewrite } = await serve({ upstreams: { e: entry } });
    const client = await connect(kind, url);
    const [{ uri }] = (await client.listResources()).resources as [{ uri: string }];
    const own = 'e://one';
    const touched = async () => {
      await client.call('e_touch', { uri: own });
      return updatesOf(client, uri).length;
    };
    await client.subscribe(uri);
    await expect.poll(touched).toBeGreaterThan(0);
    const pids = () => new Set(linesOf(log).filter((line) => line.startsWith('pid '))).size;
    const before = pids();
    rewrite({ upstreams: { e: { ...entry, env: { CHANGED: 'yes' } } } });
    await expect.poll(pids).toBeGreaterThan(before);
    const heard = updatesOf(client, uri).length;
    await expect.poll(touched).toBeGreaterThan(heard);
  });
});

test('a log level outlives a change of its entry in the config', async () => {
  const log = `${temporaryFolder()}/log`;
  const entry = fixture('talkative', `--log=${log}`);
  const { config, env, rewrite } = await serve({ upstreams: { t: entry } });
  const client = await connectStdio(config, { env });
  await client.toolNames();
  await client.request('logging/setLevel', { level: 'debug' });
  const levels = () => linesOf(log).filter((line) => line === 'level debug').length;
  await expect.poll(levels).toBe(1);
  rewrite({ upstreams: { t: { ...entry, env: { CHANGED: 'yes' } } } });
  await expect.poll(levels).toBe(2);
});

test.each(['v1', 'v2 pinned'] as const)(
  "a subscription outlives a change of its workflow's options (%s)",
  async (kind) => {
    const workflow = (debounceMs: number) => ({
      enabledWorkflows: ['checkpoint'],
      workflows: { checkpoint: { debounceMs } },
    });
    const { url, rewrite } = await serve(workflow(600_000));
    const client = await connect(kind, url);
    const uri = 'checkpoint://p';
    const todo = () => client.call('append_todo', { project_id: 'p', text: 'x' });
    const save = async () => {
      const patch = { todos: [{ id: 't', text: 'y', status: 'open' }] };
      const { structuredContent } = await client.call('save_checkpoint', {
        project_id: 'p',
        source_ide: 'cursor',
        bundle_patch: patch,
      });
      return structuredContent.saved as boolean;
    };
    await client.subscribe(uri);
    await todo();
    await expect.poll(() => updatesOf(client, uri).length).toBe(1);
    expect([await save(), await save()]).toEqual([true, false]);
    rewrite(workflow(0));
    await expect.poll(async () => [await save(), await save()]).toEqual([true, true]);
    const heard = updatesOf(client, uri).length;
    await todo();
    await expect.poll(() => updatesOf(client, uri).length).toBeGreaterThan(heard);
  },
);
