import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { isExtractedSummary } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import type { AgentFacts, CheckpointClient, SaveOutcome } from '../checkpoint-client.ts';
import { type AgentSource, readAgent } from './read-agent.ts';

export interface AgentSave extends SaveOutcome {
  readonly projectId: string;
  /** The fields that were saved. */
  readonly fields: readonly string[];
}

/**
 * Saves what an agent has left on the disk. A summary that a model has written is worth more than one that is put
 * together out of excerpts, and stays.
 */
export async function saveAgentState(
  checkpoints: CheckpointClient,
  { force, ...reading }: Omit<AgentSource, keyof AgentFacts> & { readonly force: boolean },
): Promise<AgentSave> {
  const projectId = await checkpoints.project();
  const found = await readAgent({ ...checkpoints.agent, ...reading });
  const fields = Object.keys(found);
  if (fields.length === 0) return { projectId, fields, saved: false, reason: 'nothing found' };
  const patch = withBestSummary(found, (await checkpoints.load(projectId)).bundle?.conversation);
  return { projectId, fields, ...(await checkpoints.save(projectId, patch, force)) };
}

function withBestSummary(patch: JsonObject, stored: unknown): JsonObject {
  const { summary: known, summary_generated: isGenerated } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  const { summary, ...conversation } = (patch.conversation ?? {}) as { readonly summary?: unknown };
  const isBetter = typeof known === 'string' && known !== '' && isGenerated !== true && !isExtractedSummary(known);
  return isBetter && isExtractedSummary(summary) ? { ...patch, conversation } : patch;
}
