import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UpstreamEntry } from '../../../core/settings/upstream-entry.ts';
import { Gateway } from '../../../gateway/gateway.ts';
import type { Settings } from '../../../gateway/settings/load-settings.ts';
import { createLog } from '../../../telemetry/log.ts';

/** Folders of the gateway with data about upstreams; a trial gets a copy. */
const COPIED = ['cache', 'pins', 'uris'];
/** Compiled code of the program, of several MB. */
const NOT_COPIED = path.join('cache', 'code');

export interface TrialOptions {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly entries: readonly UpstreamEntry[];
  /** Ends the trial. */
  readonly signal: AbortSignal;
}

/**
 * Runs a gateway that has these entries only, starts each of them at most once, and keeps nothing: it works on a copy of the
 * gateway's own folder, so no pin, list or audit line of the trial is there afterwards. The one exception: tokens of a login that have to be
 * renewed are kept, because a server may refuse the old ones from then on.
 */
export async function withTrial<Result>(
  { settings, env, entries, signal }: TrialOptions,
  work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const { config, home } = settings;
  const copy = await mkdtemp(path.join(tmpdir(), 'viaduct-doctor-'));
  try {
    await Promise.all(COPIED.map((folder) => copyFolder(folder, home, copy)));
    const gateway = await Gateway.load({
      ...settings,
      home: copy,
      trial: { credentialsHome: home },
      env,
      log: createLog({ level: 'silent' }),
      // Xcode, which would ask its user, is not started at all.
      config: {
        ...config,
        audit: { ...config.audit, enabled: false },
        enabledWorkflows: [],
        upstreams: entries.map((entry) => ({ ...entry, restart: 'never' as const })),
      },
    });
    const stop = () => gateway.stop('the doctor has seen it');
    signal.addEventListener('abort', stop);
    gateway.start();
    try {
      return await work(gateway);
    } finally {
      await stop();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Copies a folder. What is missing or cannot be read is not known in the trial. */
async function copyFolder(folder: string, from: string, to: string): Promise<void> {
  const filter = (source: string) => path.relative(from, source) !== NOT_COPIED;
  await cp(path.join(from, folder), path.join(to, folder), { recursive: true, filter }).catch(() => undefined);
}
