import type { UpstreamEntry, UpstreamTraits } from '../../../core/settings/upstream-entry.ts';
import type { PinBook } from '../../../core/stores/pin-store.ts';
import type { Log } from '../../../telemetry/log.ts';
import { logFirst } from '../entries/log-first.ts';
import { differingMembers, type Judgement, type PresentTool } from './pins.ts';

export interface DifferenceLog {
  readonly entry: Pick<UpstreamEntry, 'key' | 'pins'>;
  readonly traits: Pick<UpstreamTraits, 'changeHint'>;
  readonly log: Log;
}

/** Logs the tools that are not as they were approved, as far as that is news: `fresh` has the names of those. */
export function logDifferences(
  options: DifferenceLog,
  book: PinBook,
  { changed, added }: Judgement,
  fresh: ReadonlySet<string>,
): void {
  const { entry, log } = options;
  const isFresh = ({ name }: PresentTool) => fresh.has(name);
  const logRest = (more: number) =>
    log.warn({ event: 'pin-more', more }, `more tools differ. See: viaduct pins diff ${entry.key}`);
  const logChanged = (tool: PresentTool) => {
    const members = differingMembers(book.get(tool.name)!.approved!.definition, tool.definition);
    logDifference(options, 'pin-changed', { tool: tool.name, members }, 'is not as it was approved');
  };
  logFirst(changed.filter(isFresh), logChanged, logRest);
  const logNew = (tool: PresentTool) => logDifference(options, 'pin-new', { tool: tool.name }, 'is new');
  logFirst(added.filter(isFresh), logNew, logRest);
}

function logDifference({ entry, traits, log }: DifferenceLog, event: string, facts: object, what: string): void {
  const outcome = entry.pins === 'enforce' ? 'it is withheld until you approve it' : 'it is offered all the same';
  const hint = traits.changeHint === '' ? '' : `. ${traits.changeHint}`;
  const see = `See: viaduct pins diff ${entry.key}; approve: viaduct pins accept ${entry.key}`;
  log.warn({ event, ...facts }, `a tool ${what}; ${outcome}${hint}. ${see}`);
}
