import { brokenReason } from '../../../config/upstreams/broken-entry.ts';
import { shownPorts } from '../../../core/addresses/port-list.ts';
import { shownUrl } from '../../../core/addresses/shown-url.ts';
import type { UpstreamStatus } from '../../../core/providers/provider-status.ts';
import { schemaFaultLines } from '../../../core/refusals/schema-fault-lines.ts';
import type { Environment } from '../../../core/settings/environment.ts';
import type { UpstreamEntry } from '../../../core/settings/upstream-entry.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import { withTimeout } from '../../../core/timing/timeout.ts';
import { visitDaemon } from '../../../gateway/client/visit-daemon.ts';
import { fixForState } from '../../../gateway/explain-state.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import type { GatewayStatus } from '../../../gateway/gateway-status.ts';
import type { Settings } from '../../../gateway/settings/load-settings.ts';
import { environmentFor } from '../../../process/environment.ts';
import { findCommand } from '../../../process/find-command.ts';
import type { LoginPath } from '../../../process/login-path.ts';
import { isLazy } from '../../../upstream/entry/start-rule.ts';
import { adviceOf, attemptOf } from './attempt.ts';
import type { Check } from './check.ts';
import { withTrial } from './trial.ts';

/** The longest wait for an upstream, even if its entry allows more. */
const LIMIT_MS = 30_000;
const SHOWN_STDERR = 5;
const SHOWN_SCHEMAS = 50;
const MEND_LISTS = 'its server must mend its lists; the rest of them works';
const MEND_SCHEMAS =
  'its server must mend these schemas; if a model or client refuses them, hide the tools with tools.deny of the entry';

export interface UpstreamCheckOptions {
  readonly settings: Settings;
  readonly env: Environment;
  readonly loginPath: LoginPath;
  /** Ends the upstreams that were started. */
  readonly signal: AbortSignal;
}

/** Checks each upstream of the config: by its status in the running gateway, or by starting it once and ending it again. */
export async function checkUpstreams(options: UpstreamCheckOptions): Promise<Check[]> {
  const { disabled, broken } = options.settings.config;
  const faulty = broken.map(({ key, isDisabled, ...entry }): Check => {
    const name = `upstream ${key}`;
    if (isDisabled) return { name, mark: 'skipped', text: 'disabled in the config' };
    const text = options.settings.masker.mask(`its entry has a fault: ${brokenReason(entry)}`);
    return { name, mark: 'fail', text, fix: `correct upstreams.${key}; viaduct config check shows every problem` };
  });
  const off = disabled.map(
    (entry): Check => ({ name: nameOf(entry), mark: 'skipped', text: 'disabled in the config' }),
  );
  const running = await statusOfRunning(options.settings);
  const checks =
    running === undefined
      ? await tryAll(options.settings.config.upstreams, options)
      : await lookAtAll(running, options);
  return [...checks, ...faulty, ...off];
}

async function statusOfRunning(settings: Settings): Promise<GatewayStatus | undefined> {
  const daemon = await visitDaemon(settings, { name: 'viaduct doctor' });
  if (daemon === undefined) return undefined;
  const { client } = daemon;
  try {
    return (await client.request('viaduct/status')) as GatewayStatus;
  } finally {
    client.close();
  }
}

/** Checks all upstreams. Those that start on demand are tried separately, so that the running gateway and its clients notice nothing. */
async function lookAtAll(running: GatewayStatus, options: UpstreamCheckOptions): Promise<Check[]> {
  const { upstreams } = options.settings.config;
  const statusOf = ({ key }: UpstreamEntry) => running.upstreams.find((status) => status.key === key);
  const asleep = upstreams.filter((entry) => isAsleep(entry, statusOf(entry)?.state));
  const tried = new Map((await tryAll(asleep, options)).map((check) => [check.name, check]));
  return Promise.all(
    upstreams.map(async (entry): Promise<Check> => {
      const name = nameOf(entry);
      const status = statusOf(entry);
      if (status === undefined) {
        const text = 'the gateway that runs does not have it: its config was changed and is not in force yet';
        return { name, mark: 'warn', text, fix: 'its log says why' };
      }
      return (
        tried.get(name) ?? describe(entry, status, await commandOf(entry, options), `since ${status.since}`, options)
      );
    }),
  );
}

async function tryAll(entries: readonly UpstreamEntry[], options: UpstreamCheckOptions): Promise<Check[]> {
  if (entries.length === 0) return [];
  const { settings, env, signal } = options;
  return withTrial({ settings, env, entries, signal }, (gateway) =>
    Promise.all(entries.map((entry) => tryOne(gateway, entry, options))),
  );
}

async function tryOne(gateway: Gateway, entry: UpstreamEntry, options: UpstreamCheckOptions): Promise<Check> {
  const command = commandOf(entry, options);
  const begin = performance.now();
  const limitMs = Math.min(entry.timeouts.connectMs + entry.timeouts.listMs, LIMIT_MS);
  const late = () => new Error(`no answer within ${limitMs / 1000} s`);
  await withTimeout(gateway.control.sync(entry.key), limitMs, late).catch(() => undefined); // its state says it all
  const ms = Math.round(performance.now() - begin);
  const status = gateway.reports.status().upstreams.find(({ key }) => key === entry.key)!;
  return describe(entry, status, await command, `${ms} ms`, options);
}

/** Returns the file that would be run, or why there is none; or else the url that is called. */
async function commandOf(entry: UpstreamEntry, { env, loginPath }: UpstreamCheckOptions): Promise<string> {
  if (entry.url !== undefined) return shownUrl(entry.url);
  if (entry.ports !== undefined) return `ports ${shownPorts(entry.ports)}`;
  try {
    return (await findCommand(entry, await environmentFor(entry, env, loginPath), loginPath)).file;
  } catch (error) {
    return (error as Error).message;
  }
}

function describe(
  entry: UpstreamEntry,
  status: UpstreamStatus,
  command: string,
  when: string,
  { settings }: UpstreamCheckOptions,
): Check {
  const { state, counts, reason, listErrors, skipped, stderr } = status;
  const schemas = schemaFaultLines(status.schemaFaults ?? [], SHOWN_SCHEMAS);
  const name = nameOf(entry);
  const mask = (text: string): string => settings.masker.mask(text);
  if (state === 'ready') {
    const text = mask(`ready, ${counts.tools} tools, ${when}, ${command}`);
    const faults = [...listErrors, ...skipped.map((one) => `left out ${one.kind} "${one.name}": ${one.reason}`)];
    if (faults.length + schemas.length === 0) return { name, mark: 'ok', text };
    const lines = [...faults, ...schemas].map(mask);
    const fix = faults.length > 0 ? MEND_LISTS : MEND_SCHEMAS;
    return { name, mark: 'warn', text, fix, lines };
  }
  const lines = stderr.slice(-SHOWN_STDERR).map((line) => `stderr: ${mask(line)}`);
  const text = mask(`${state}: ${reason ?? 'no answer to initialize and tools/list yet'} (${when})`);
  const mark = state === 'waiting' ? 'warn' : 'fail';
  return { name, mark, text, fix: mask(fixOf(entry, state)), lines };
}

const nameOf = ({ key }: UpstreamEntry): string => `upstream ${key}`;

/** An upstream that calls start is not running, which says nothing of how it is. */
function isAsleep(entry: UpstreamEntry, state: string | undefined): boolean {
  return isLazy(entry) && (state === 'idle' || state === 'stopped');
}

function fixOf(entry: UpstreamEntry, state: string): string {
  if (state === 'failed' || state === 'waiting' || state === 'needs-auth')
    return fixForState({ key: entry.key, state });
  if (entry.ports !== undefined) return adviceOf(entry.type);
  if (entry.url !== undefined) return `see whether it answers: ${attemptOf(entry)}`;
  const words = [entry.command, ...entry.args].map(shellWord);
  return `see what it does by hand: cd ${shellWord(entry.cwd)} && ${words.join(' ')}`;
}
