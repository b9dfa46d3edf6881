import type { ClientDirectory } from '../../../../src/core/providers/provider.ts';
import { NO_TRAITS, type UpstreamEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { Containers } from '../../../../src/process/containers/containers.ts';
import { LoginPath } from '../../../../src/process/login-path.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { AskingTrait } from '../../../../src/upstream/events/asks/asking-trait.ts';
import { ToldIds } from '../../../../src/upstream/events/asks/told-ids.ts';
import { ProcessQuota } from '../../../../src/upstream/sharing/process-quota.ts';
import type { UpstreamOptions } from '../../../../src/upstream/upstream-options.ts';
import type { MemoryProgram } from './memory-server.ts';

interface Surroundings {
  readonly directory?: ClientDirectory;
  readonly onOffer?: () => void;
  /** The program that runs instead of the entry's command. */
  readonly program?: MemoryProgram;
}

/** The parts of an upstream whose caches are empty and stay so. */
export function optionsOf(entry: UpstreamEntry, { directory, onOffer, program }: Surroundings = {}): UpstreamOptions {
  const log = createLog({ level: 'silent' });
  const env = { PATH: '/nowhere' };
  const cache = {
    load: () => undefined,
    save: () => undefined,
    saveInSlices: () => Promise.resolve(),
    loadAsking: () => undefined,
    saveAsking: () => undefined,
  };
  return {
    entry,
    asking: new AskingTrait(entry, cache),
    told: new ToldIds(),
    processes: new ProcessQuota(),
    traits: NO_TRAITS,
    transport: {
      log,
      env,
      loginPath: new LoginPath(env),
      reaper: new Reaper(),
      containers: new Containers({
        records: { add: () => undefined, remove: () => undefined, all: () => [] },
        environment: async (own) => own,
        onProblem: () => undefined,
      }),
      maxFrameBytes: 1_000,
    },
    ...(program !== undefined && { transportFor: async () => program.definition }),
    clientInfo: { name: 'test', version: '1' },
    cache,
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    pins: { load: () => 'none', save: () => undefined, approve: () => undefined, upstreams: () => [] },
    uris: { publicUri: (_key, uri) => uri },
    passed: () => ({}),
    declared: { load: () => undefined, save: () => undefined },
    directory: directory ?? { get: () => undefined, sole: () => undefined },
    log,
    mask: (text) => text,
    onOffer: onOffer ?? (() => undefined),
  };
}
