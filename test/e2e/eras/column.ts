import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releaseFile } from '../../../fixtures/eras/release-file.ts';
import type { EraClient } from '../../support/clients/era-clients.ts';
import { fixture, linesOf, openServe, writeConfig } from '../../support/gateway.ts';
import type { AtEnd } from '../../support/shared.ts';

export type UpstreamEra = 'legacy' | '2026-07-28';

/** One client before one upstream: what the rows of the matrix are tried on. */
export interface Column {
  readonly client: EraClient;
  readonly upstreamEra: UpstreamEra;
  /** A tool, or prompt, of the fixture server as this client must call it. */
  readonly named: (name: string) => string;
  /** A uri, or uri template, of the fixture server as this client sees it. */
  readonly shown: (uri: string) => string;
  /** The tool that ends its server, and whether that server comes back. */
  readonly exit: string;
  readonly comesBack: boolean;
  /** What the fixture server has seen. */
  readonly seen: () => string[];
  /** Ends the call that waits with this nonce, without a call of its own: a client's calls may run one at a time. */
  readonly release: (nonce: string) => void;
  /** A text that no other test has. */
  readonly nonce: () => string;
}

let nonces = 0;

export function column(parts: Omit<Column, 'seen' | 'nonce' | 'release'> & { readonly log: string }): Column {
  return {
    ...parts,
    seen: () => linesOf(parts.log),
    release: (nonce) => writeFileSync(releaseFile(parts.log, nonce), ''),
    nonce: () => `${parts.client.name}-${++nonces}`,
  };
}

/** A folder that goes with the test file. */
export function folderOfFile(): string {
  return mkdtempSync(path.join(process.env.VIADUCT_HOME!, 'eras-'));
}

/** Where a client finds the fixture server that a gateway has as `e`. */
export const THROUGH_GATEWAY = {
  named: (name: string) => `e_${name}`,
  shown: (uri: string) => uri.replace('://', '://e/'),
  exit: 'mortal_exit',
  comesBack: true,
} as const;

export function erasFixture(era: UpstreamEra, ...flags: string[]): { command: string; args: string[] } {
  return fixture('eras', `--era=${era === 'legacy' ? 'legacy' : 'modern'}`, ...flags);
}

/**
 * A gateway with the fixture server as `e`, and as `mortal` another one that may be ended. The gateway is told the era
 * of its upstreams, or finds it out.
 */
export function configFor(era: UpstreamEra, isTold: boolean): { config: string; log: string; home: string } {
  const home = folderOfFile();
  const log = path.join(home, 'upstream.log');
  const upstreams = {
    e: { ...erasFixture(era, `--log=${log}`), ...(isTold && { era }) },
    mortal: { ...erasFixture(era, '--label=mortal'), ...(isTold && { era }), restart: 'on-demand' },
  };
  return {
    config: writeConfig({ upstreams, lists: { graceMs: 20_000 }, workspace: { clientFolders: ['/home'] } }, home),
    log,
    home,
  };
}

export async function serveFor(config: string, home: string, atEnd: AtEnd): Promise<string> {
  const { url } = await openServe(config, { ...process.env, VIADUCT_HOME: home }, atEnd);
  return url;
}
