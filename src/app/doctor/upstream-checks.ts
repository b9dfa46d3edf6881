import { brokenReason } from '../../config/entries/broken-entry.ts';
import { shownPorts } from '../../core/port-list.ts';
import type { UpstreamStatus } from '../../core/provider-status.ts';
import { shownUrl } from '../../core/shown-url.ts';
import { withTimeout } from '../../core/timeout.ts';
import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import { environmentFor } from '../../process/environment.ts';
import { findCommand } from '../../process/find-command.ts';
import type { LoginPath } from '../../process/login-path.ts';
import { createLog } from '../../telemetry/log.ts';
import { fixForState } from '../explain-state.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayStatus } from '../gateway-status.ts';
import type { Settings } from '../load-settings.ts';
import { visitDaemon } from '../visit-daemon.ts';
import { attemptOf, wordOf } from './attempt.ts';
import type { Check } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Nobody waits longer for a doctor, whatever the entry allows. */
const LIMIT_MS = 30_000;
const SHOWN_STDERR = 5;

export interface UpstreamCheckOptions {
  readonly settings: Settings;
  readonly env: Environment;
  readonly loginPath: LoginPath;
  /** Ends the upstreams that were started. */
  readonly signal: AbortSignal;
}

/** Each upstream of the config: as the running gateway has it, else started once and ended again. */
export async function checkUpstreams(options: UpstreamCheckOptions): Promise<Check[]> {
  const { disabled, broken } = options.settings.config;
  const faulty = broken.map(({ key, isDisabled, ...entry }): Check => {
    const name = `upstream ${key}`;
    if (isDisabled) return { name, mark: 'skipped', text: 'disabled in the config' };
    const text = options.settings.masker.mask(`its entry has a fault: ${brokenReason(entry)}`);
    return { name, mark: 'fail', text, fix: `correct upstreams.${key}; viaduct config check shows all that is wrong` };
  });
  const off = disabled.map(
    ({ key }): Check => ({ name: `upstream ${key}`, mark: 'skipped', text: 'disabled in the config' }),
  );
  const running = await statusOfRunning(options.settings);
  return [...(running === undefined ? await tryAll(options) : await lookAtAll(running, options)), ...faulty, ...off];
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

async function lookAtAll(running: GatewayStatus, options: UpstreamCheckOptions): Promise<Check[]> {
  const { upstreams } = options.settings.config;
  return Promise.all(
    upstreams.map(async (entry): Promise<Check> => {
      const status = running.upstreams.find(({ key }) => key === entry.key);
      if (status === undefined) {
        const text = 'the gateway that runs does not have it: its config was changed and is not in force yet';
        return { name: `upstream ${entry.key}`, mark: 'warn', text, fix: 'its log says why' };
      }
      return describe(entry, status, await commandOf(entry, options), `since ${status.since}`, options);
    }),
  );
}

async function tryAll(options: UpstreamCheckOptions): Promise<Check[]> {
  const { settings, env, signal } = options;
  const { config } = settings;
  const gateway = await Gateway.load({
    ...settings,
    env,
    log: createLog({ level: 'silent' }),
    // Each is started once, and Xcode, which would ask its user, not at all.
    config: {
      ...config,
      enabledWorkflows: [],
      upstreams: config.upstreams.map((entry) => ({ ...entry, restart: 'never' as const })),
    },
  });
  const stop = () => gateway.stop('the doctor has seen it');
  signal.addEventListener('abort', stop);
  gateway.start();
  try {
    return await Promise.all(config.upstreams.map((entry) => tryOne(gateway, entry, options)));
  } finally {
    await stop();
  }
}

async function tryOne(gateway: Gateway, entry: UpstreamEntry, options: UpstreamCheckOptions): Promise<Check> {
  const command = commandOf(entry, options);
  const begin = performance.now();
  const limitMs = Math.min(entry.timeouts.connectMs + entry.timeouts.listMs, LIMIT_MS);
  const late = () => new Error(`no answer within ${limitMs / 1000} s`);
  await withTimeout(gateway.sync(entry.key), limitMs, late).catch(() => undefined); // its state says it all
  const ms = Math.round(performance.now() - begin);
  const status = gateway.status().upstreams.find(({ key }) => key === entry.key)!;
  return describe(entry, status, await command, `${ms} ms`, options);
}

/** The file that would be run, or why there is none; or else the url that is called. */
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
  const { key, state, counts, reason, listErrors, skipped, stderr } = status;
  const name = `upstream ${key}`;
  const mask = (text: string): string => settings.masker.mask(text);
  if (state === 'ready') {
    const text = mask(`ready, ${counts.tools} tools, ${when}, ${command}`);
    const remarks = [...listErrors, ...skipped.map((one) => `left out ${one.kind} "${one.name}": ${one.reason}`)];
    if (remarks.length === 0) return { name, mark: 'ok', text };
    const lines = remarks.map(mask);
    return { name, mark: 'warn', text, fix: 'its server must mend its lists; the rest of them works', lines };
  }
  if (isAsleep(entry, state)) return { name, mark: 'ok', text: mask(`stopped until it is called, ${command}`) };
  const lines = stderr.slice(-SHOWN_STDERR).map((line) => `stderr: ${mask(line)}`);
  const text = mask(`${state}: ${reason ?? 'no answer to initialize and tools/list yet'} (${when})`);
  const mark = state === 'waiting' ? 'warn' : 'fail';
  return { name, mark, text, fix: mask(fixOf(entry, state)), lines };
}

/** An upstream that is started by calls is well when it is not running. */
function isAsleep({ restart }: UpstreamEntry, state: string): boolean {
  return restart === 'on-demand' && (state === 'idle' || state === 'stopped');
}

function fixOf(entry: UpstreamEntry, state: string): string {
  if (state === 'failed' || state === 'waiting' || state === 'needs-auth')
    return fixForState({ key: entry.key, state });
  if (entry.ports !== undefined) return 'open its folder in the IDE, and see that the plug-in is switched on there';
  if (entry.url !== undefined) return `see whether it answers: ${attemptOf(entry)}`;
  const words = [entry.command, ...entry.args].map(wordOf);
  return `see what it does by hand: cd ${entry.cwd} && ${words.join(' ')}`;
}
