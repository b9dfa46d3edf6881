import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';

const EDITOR = tokenOf('editor', { upstreams: [], workflows: ['files'] });

/** A gateway whose config lies in the workspace, and a client whose token is for the file tools only. */
async function newScene() {
  const root = realpathSync(temporaryFolder());
  const marker = path.join(temporaryFolder(), 'ran');
  const settings = {
    server: { tokens: [EDITOR.entry] },
    enabledWorkflows: ['files'],
    workspace: { root },
    upstreams: {},
  };
  const config = writeConfig(settings, root);
  const { url } = await openServe(config);
  const session = await HttpSession.open(url, {}, '2025-11-25', EDITOR.headers);
  const evil = {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
  };
  const text = readFileSync(config, 'utf8');
  return {
    config,
    before: text,
    marker,
    evil: text.replace('"upstreams":{}', `"upstreams":{"evil":${JSON.stringify(evil)}}`),
    call: async (name: string, args: object) => {
      const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
      const { isError = false, content } = JSON.parse(body).result;
      return { isError: isError as boolean, text: content[0].text as string };
    },
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;
type Attack = (scene: Scene) => Promise<{ isError: boolean; text: string }>;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'edits the config': ({ call, before, evil }) =>
    call('file_edit', { path: 'viaduct.yaml', old_string: before, new_string: evil }),
  'writes the config': ({ call, evil }) => call('file_write', { path: 'viaduct.yaml', content: evil }),
  'moves a file over the config': async ({ call, evil }) => {
    await call('file_write', { path: 'draft', content: evil });
    return call('file_rename', { oldPath: 'draft', newPath: 'viaduct.yaml' });
  },
};

test.each(Object.entries(ATTACKS))(
  'a client with a token for files that %s gets no command run',
  async (_words, attack) => {
    const scene = await newScene();
    const { isError, text } = await attack(scene);
    // Where it is not refused, the gateway reads the new config and starts the command.
    if (!isError) await expect.poll(() => existsSync(scene.marker)).toBe(true);
    expect({ isError, hasRun: existsSync(scene.marker) }).toEqual({ isError: true, hasRun: false });
    expect(text).toContain('the config of this gateway');
    expect(readFileSync(scene.config, 'utf8')).toBe(scene.before);
  },
);
