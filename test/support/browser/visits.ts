import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { AddressRulesOptions } from '../../../src/browser/guard/address-rules.ts';
import { launcher } from '../../../src/browser/visits/launcher.ts';
import { type VisitRequest, Visits, type VisitsOptions } from '../../../src/browser/visits/visits.ts';
import { Reaper } from '../../../src/process/reaper.ts';
import { removeFolder } from '../folders.ts';
import { CHROMIUM } from './chromium.ts';

export interface VisitsSetup {
  readonly visits: Visits;
  /** The events of pages, in order. */
  readonly events: readonly string[];
  /** Names of the profiles that are there. */
  readonly profiles: () => readonly string[];
  /** An entry for each browser that was started. */
  readonly launches: readonly number[];
  readonly connect: (clientId: string, request?: Partial<VisitRequest>) => ReturnType<Visits['connect']>;
}

interface Changes extends Partial<Omit<VisitsOptions, 'addresses'>> {
  readonly addresses?: Partial<AddressRulesOptions>;
}

/** Visits in real browsers, which end with the test. */
export function openVisits({ addresses, ...changes }: Changes = {}): VisitsSetup {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-visits-'));
  const events: string[] = [];
  const launches: number[] = [];
  const own = addresses?.own ?? (() => []);
  const launch = launcher({
    browser: CHROMIUM!,
    search: { platform: process.platform, env: {}, homeFolder: home },
    env: async () => process.env as Record<string, string>,
    home,
    reaper: new Reaper(),
    sandbox: process.getuid?.() !== 0,
    own,
  });
  const visits = new Visits({
    launch: (headless, signal) => {
      launches.push(launches.length);
      return launch(headless, signal);
    },
    addresses: { allowHosts: [], loopback: true, own, ...addresses },
    debugHosts: [],
    onEvent: (_page, sentence) => void events.push(sentence),
    ...changes,
  });
  onTestFinished(async () => {
    await visits.stop();
    removeFolder(home);
  });
  return {
    visits,
    events,
    launches,
    profiles: () => profilesIn(home),
    connect: (clientId, request = {}) =>
      visits.connect(clientId, { timeoutMs: 30_000, signal: AbortSignal.timeout(60_000), ...request }),
  };
}

/** Names of the profiles in a gateway's folder. */
export function profilesIn(home: string): readonly string[] {
  try {
    return readdirSync(path.join(home, 'webview'));
  } catch {
    return []; // no browser was started yet
  }
}
