import { shownUrl } from '../../core/addresses/shown-url.ts';
import type { Listing } from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { ConnectionState } from '../connection/machine.ts';
import type { FaultCounts } from '../connection/peer-faults.ts';
import { isLazy } from '../entry/start-rule.ts';
import type { ListTrouble } from '../lists/list-trouble.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import { sharingStatus } from '../sharing/sharing-status.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import type { Misfits } from './misfits.ts';
import { shownInfo } from './shown-info.ts';

/** The facts that a status is made of. */
export interface StatusParts extends Pick<UpstreamOptions, 'entry' | 'asking' | 'mask'> {
  readonly connection: {
    readonly state: ConnectionState;
    readonly pid: number | undefined;
    readonly starts: number;
  };
  /** The current listing. */
  readonly listing: Listing;
  readonly lists: Pick<UpstreamLists, 'trouble' | 'lastSync' | 'known'>;
  readonly facts: ServerFacts | undefined;
  readonly lastError: string | undefined;
  readonly calls: UpstreamStatus['calls'];
  readonly faults: FaultCounts;
  readonly misfits: Misfits;
  readonly stderr: UpstreamStatus['stderr'];
  readonly startStderr: UpstreamStatus['startStderr'];
}

/** Returns what `viaduct status` says about an upstream, with secrets masked. */
export function statusOf(parts: StatusParts): UpstreamStatus {
  const { entry, mask, connection, lists, facts, lastError } = parts;
  const { state, pid, starts } = connection;
  const { url } = entry;
  const { tool, prompt, resource, template } = parts.listing;
  const { lastSync, trouble, known } = lists;
  return {
    key: entry.key,
    prefix: entry.prefix,
    state: state.name,
    since: new Date(state.since).toISOString(),
    ...whyAndWhen(state, trouble, mask),
    ...(state.name === 'idle' && state.reason === undefined && waitsForCall(parts) && { reason: NOT_STARTED }),
    ...(lastError !== undefined && { lastError }),
    ...(pid !== undefined && { pid }),
    ...(url !== undefined && { url: mask(shownUrl(url)) }),
    starts,
    sharing: sharingStatus(entry, parts.asking),
    ...(facts !== undefined && {
      protocolVersion: facts.protocolVersion,
      serverInfo: shownInfo(facts.serverInfo, mask),
    }),
    counts: {
      tools: tool.length,
      prompts: prompt.length,
      resources: resource.length,
      templates: template.length,
    },
    ...(lastSync !== undefined && { lastSync: new Date(lastSync).toISOString() }),
    listErrors: trouble.errors.map(mask),
    skipped: known.findings.skipped.map((skipped) => ({ ...skipped, reason: mask(skipped.reason) })),
    ...known.trust,
    schemaFaults: known.findings.schemaFaults.map((one) => ({ ...one, path: mask(one.path), fault: mask(one.fault) })),
    calls: parts.calls,
    faults: { ...parts.faults },
    misfits: parts.misfits.shown(mask),
    stderr: parts.stderr,
    startStderr: parts.startStderr,
  };
}

const NOT_STARTED = 'not started yet; it starts with the first call';

const waitsForCall = ({ entry, lists }: StatusParts): boolean => isLazy(entry) && lists.known.isKnown('tool');

/** Returns the reason that a state gives, or else the problem with the lists. */
function whyAndWhen(
  state: ConnectionState,
  { reason, retryAt }: ListTrouble,
  mask: (text: string) => string,
): Pick<UpstreamStatus, 'reason' | 'retryAt'> {
  const isOfLists = state.name === 'ready' || state.name === 'waiting';
  const at = 'retryAt' in state ? state.retryAt : isOfLists ? retryAt : undefined;
  const why = 'reason' in state ? state.reason : isOfLists && reason !== undefined ? mask(reason) : undefined;
  return {
    ...(why !== undefined && { reason: why }),
    ...(at !== undefined && { retryAt: new Date(at).toISOString() }),
  };
}
