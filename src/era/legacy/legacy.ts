import { asObject } from '../../core/json/as-object.ts';

/** Protocol revisions that open with `initialize`, newest first. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];

export const NEWEST_LEGACY: LegacyRevision = LEGACY_REVISIONS[0];

export function isLegacyRevision(version: unknown): version is LegacyRevision {
  return (LEGACY_REVISIONS as readonly unknown[]).includes(version);
}

/**
 * Returns the revision for a client that asks for `requested`: the same where we know it, else our newest (lifecycle,
 * "Version Negotiation").
 */
export function negotiate(requested: unknown): LegacyRevision {
  return isLegacyRevision(requested) ? requested : NEWEST_LEGACY;
}

/** JSON-RPC batches were part of the protocol until 2025-06-18 removed them. */
export function allowsBatches(revision: LegacyRevision): boolean {
  return revision < '2025-06-18';
}

/** Servers prime an event stream with an empty event only for clients that expect it (2025-11-25, "Resumability"). */
export function expectsPrimingEvent(revision: LegacyRevision): boolean {
  return revision >= '2025-11-25';
}

/** Tasks came with 2025-11-25, as an experiment that the next revision replaced. */
export function knowsTasks(revision: LegacyRevision): boolean {
  return revision >= '2025-11-25';
}

/** Returns true if a revision has `sampling.context`. It came with 2025-11-25; before that, sampling always allowed it. */
function hasContextInSampling(revision: LegacyRevision): boolean {
  return revision >= '2025-11-25';
}

/** Returns the capabilities of a client of this revision in the words of the newest revision. */
export function inNewestWords(
  revision: LegacyRevision,
  capabilities: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { sampling } = capabilities;
  if (sampling === undefined || hasContextInSampling(revision)) return capabilities;
  return { ...capabilities, sampling: { ...asObject(sampling), context: {} } };
}

/** The capability a client must have declared to be asked this. */
export const CAPABILITY_OF_ASK: ReadonlyMap<string, string> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);

/** Log levels of the specification, least severe first (RFC 5424). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Returns the severity of a level, from 0 for `debug`; -1 if it is not a level. */
export function severityOf(level: unknown): number {
  return (LOG_LEVELS as readonly unknown[]).indexOf(level);
}
