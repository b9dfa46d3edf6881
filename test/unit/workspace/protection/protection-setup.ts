import { mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Ground } from '../../../../src/workspace/ground/ground.ts';
import { Protection } from '../../../../src/workspace/protection/protection.ts';
import type { ProtectionRules } from '../../../../src/workspace/protection/rules.ts';
import { VERSION_CONTROL } from '../../../../src/workspace/protection/version-control.ts';
import { readBytes, withFile } from '../../../../src/workspace/read-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { workspaceSetup } from '../workspace-setup.ts';

export const REFUSED = { code: 'PATH_PROTECTED' };

export interface SceneOptions {
  readonly ground: Ground;
  /** Texts of files, by their paths from the folder that the workspace is in. */
  readonly files?: Readonly<Record<string, string>>;
  /** Made of the folder that the workspace is in. */
  readonly rules?: (base: string) => Partial<ProtectionRules>;
  /** The folder of the workspace. */
  readonly root?: string;
}

/** A folder with files, and a workspace in it with the rules of a test. */
export function protectedScene({ ground, files = {}, rules = () => ({}), root = 'ws' }: SceneOptions) {
  const base = realpathSync(temporaryFolder());
  mkdirSync(path.join(base, root), { recursive: true });
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  const guard = new Protection({
    paths: [],
    names: VERSION_CONTROL,
    gitConfigs: [],
    userHome: base,
    unprotected: [],
    ...rules(base),
  });
  const workspace = workspaceSetup({ ground, root: path.join(base, root), guard });
  const { sandbox } = workspace;
  return {
    ...workspace,
    base,
    put,
    at: (name: string) => path.join(base, name),
    read: (name: string) =>
      sandbox.at(name, { follow: true, intent: 'read' }, (place) =>
        withFile(place, async (handle) => (await readBytes(handle, 0, 1_000)).toString()),
      ),
    /** Has it refused, and nothing touched. */
    refuses: async (what: Promise<unknown>, words?: RegExp) => {
      const before = treeOf(base);
      await expect(what).rejects.toMatchObject(
        words === undefined ? REFUSED : { ...REFUSED, message: expect.stringMatching(words) },
      );
      expect(treeOf(base)).toEqual(before);
    },
  };
}

/** What is below a folder: texts, targets of links, and null for folders. */
export function treeOf(folder: string, prefix = ''): Record<string, string | null> {
  const tree: Record<string, string | null> = {};
  for (const entry of readdirSync(path.join(folder, prefix), { withFileTypes: true })) {
    const name = path.join(prefix, entry.name);
    const at = path.join(folder, name);
    if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(at)}`;
    else if (entry.isDirectory()) Object.assign(tree, { [name]: null }, treeOf(folder, name));
    else tree[name] = readFileSync(at, 'utf8');
  }
  return tree;
}
