import type { SyncReport } from '../../core/providers/provider-status.ts';
import { visitDaemon } from '../../gateway/client/visit-daemon.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printable, printJson, printTable } from '../terminal/print.ts';
import { type AuthLine, Logins } from './logins.ts';
import { hasBrowser, openUrl } from './open-url.ts';

interface LoginFlags {
  readonly config?: string;
  readonly browser: boolean;
  readonly timeout: number;
}

/** Logs in to an upstream; a gateway that runs connects to it at once. */
export async function loginTo(key: string, options: LoginFlags): Promise<void> {
  const settings = await openSettings(options.config, 'error');
  const waiting = new AbortController();
  const late = new Error(`the login in the browser was not completed within ${options.timeout} s`);
  const timer = setTimeout(() => waiting.abort(late), options.timeout * 1_000);
  process.once('SIGINT', () => waiting.abort(new Error('stopped')));
  try {
    const line = await new Logins(settings, process.env).login(key, {
      signal: waiting.signal,
      onUrl: (url) => showUrl(url, options.browser),
    });
    print(`Logged in to ${key}: ${detailsOf(line)}`);
  } finally {
    clearTimeout(timer);
  }
  await connect(key, settings);
}

function showUrl(url: string, mayOpen: boolean): void {
  const opens = mayOpen && hasBrowser(process.env, process.stdout.isTTY);
  print(
    opens
      ? 'Your browser opens this address; if it does not, open it yourself:'
      : 'Open this address in a browser on this machine:',
  );
  print(`  ${url}`);
  if (opens) openUrl(url);
}

/** A gateway of `viaduct stdio` notices by itself. */
async function connect(key: string, settings: Settings): Promise<void> {
  const daemon = await visitDaemon(settings, { name: 'viaduct auth' });
  if (daemon === undefined) return;
  const { client } = daemon;
  try {
    const reports = (await client.request('viaduct/sync', { upstream: key })) as Record<
      string,
      SyncReport | { error: string }
    >;
    const report = reports[key];
    if (report === undefined) return;
    const outcome =
      'error' in report ? `cannot connect: ${printable(report.error)}` : `has ${report.total} tools of it`;
    print(`The gateway that runs ${outcome}`);
  } finally {
    client.close();
  }
}

/** Deletes a login. */
export async function logoutFrom(key: string, options: { readonly config?: string }): Promise<void> {
  const settings = await openSettings(options.config, 'error');
  const revocation = await new Logins(settings, process.env).logout(key);
  print(`${LOGOUTS[revocation]} (${key})`);
}

const LOGOUTS = {
  revoked: 'Logged out: the tokens are forgotten here and no longer good there',
  'not-offered':
    'Logged out: the tokens are forgotten here; their server cannot take them back, they end by themselves',
  failed: 'Logged out: the tokens are forgotten here; their server could not be told, they end by themselves',
  'no-tokens': 'There were no tokens',
} as const;

/** Shows logins. Exits with 1 when the one that was asked for is none. */
export async function authStatus(
  key: string | undefined,
  options: { readonly config?: string; readonly json?: boolean },
): Promise<void> {
  const settings = await openSettings(options.config, 'error');
  const lines = new Logins(settings, process.env).status(key);
  if (options.json === true) printJson(lines);
  else if (lines.length === 0) print('No upstream has a URL.');
  else printTable(lines.map((line) => [line.upstream, line.state ?? line.type, detailsOf(line)]));
  const isOut = key !== undefined && lines.some(({ state }) => state !== undefined && state !== 'logged-in');
  process.exitCode = isOut ? EXIT.failed : EXIT.ok;
}

function detailsOf({ type, login, upstream }: AuthLine): string {
  if (login === undefined) return type === 'oauth' ? `if it wants you to log in: viaduct auth login ${upstream}` : '';
  const { issuer, scope, expiresAt, isRenewable, hasTokens, keptIn } = login;
  const end = expiresAt === undefined ? 'no end is known' : `until ${expiresAt}`;
  return [
    issuer,
    scope === undefined ? 'no scopes' : `scopes ${scope}`,
    ...(hasTokens
      ? [isRenewable ? `${end}, then renewed` : end]
      : [`its tokens are gone: viaduct auth login ${upstream}`]),
    keptIn === 'keychain' ? 'kept in the keychain' : 'kept in a file',
  ]
    .map(printable)
    .join(' · ');
}
