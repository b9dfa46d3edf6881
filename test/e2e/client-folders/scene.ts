import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tokenOf } from '../../support/auth/tokens.ts';
import { freshHome, openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { git } from '../../support/git-repository.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

export const TOKEN = tokenOf('agent');
/** Stands in every file of a place that is not open, changed ones included. */
export const SECRET = 'the-secret-of-the-closed-folder';

/** A client's way to the gateway: with a token or without, of the one era or the other. */
export const COMERS = (['legacy', 'modern'] as const).flatMap((era) =>
  ([false, true] as const).map((hasToken) => ({ era, hasToken, name: `${era}, ${hasToken ? 'a' : 'no'} token` })),
);
export type Comer = (typeof COMERS)[number];

export interface Told {
  readonly headers?: Record<string, string>;
  readonly meta?: object;
}

export interface Place {
  /** Above both. */
  readonly top: string;
  readonly open: string;
  readonly closed: string;
  readonly url: string;
  /** Calls a tool, and gives the whole answer as text. */
  call(comer: Comer, tool: string, args: object, told?: Told): Promise<string>;
}

/** A repository that clients may name, one that they may not, and a gateway that serves them over HTTP. */
export async function newPlace(
  config: object,
  { root = 'open', hasTokens = true }: { readonly root?: string; readonly hasTokens?: boolean } = {},
): Promise<Place> {
  const top = realpathSync(temporaryFolder());
  const [open, closed] = [path.join(top, 'open'), path.join(top, 'closed')];
  for (const folder of [open, closed]) newRepository(folder);
  const workspace = root === '' ? {} : { clientFolders: [path.join(top, root)] };
  const open_ = (server: object) => openServe(writeConfig({ server, workspace, ...config }), freshHome());
  const { url: free } = await open_({});
  const { url: guarded } = hasTokens ? await open_({ tokens: [TOKEN.entry] }) : { url: free };
  const call: Place['call'] = async ({ era, hasToken }, tool, args, { headers = {}, meta } = {}) => {
    const url = hasToken ? guarded : free;
    const all = { ...(hasToken && TOKEN.headers), ...headers };
    if (era === 'modern')
      return (await new ModernHttpClient(url).call(tool, args, { headers: all, ...(meta !== undefined && { meta }) }))
        .body;
    const session = await HttpSession.open(url, {}, '2025-11-25', all);
    const params = { name: tool, arguments: args, ...(meta !== undefined && { _meta: meta }) };
    return (await session.post(session.request('tools/call', params))).body;
  };
  return { top, open, closed, url: free, call };
}

/** A repository with one commit and an uncommitted change. */
export function newRepository(folder: string): void {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'remote', 'add', 'origin', `https://example.org/${path.basename(folder)}.git`);
  writeFileSync(path.join(folder, 'notes.txt'), 'first\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  const text = path.basename(folder) === 'closed' ? SECRET : 'nothing';
  writeFileSync(path.join(folder, 'notes.txt'), `${text}\n`);
}
