import type { JsonObject, StoredBundle } from '../../core/stores/checkpoint-store.ts';
import type { CallContext } from '../define.ts';
import { adapterFor } from './adapters/adapters.ts';
import { atFidelity } from './bundle/fidelity.ts';
import type { Fidelity, FidelityReport } from './bundle/schema.ts';

/** Returns a stored bundle as this client gets it: as much of the conversation as its IDE can use, or as it asks for. */
export function delivered(
  stored: StoredBundle,
  { client }: CallContext,
  wanted?: Fidelity,
): { readonly bundle: JsonObject; readonly fidelity: FidelityReport } {
  return atFidelity(presented(stored), wanted ?? adapterFor(client.name).consumes);
}

/** Returns a stored bundle with what its revision says about it. */
export function presented({ projectId, bundle, updatedAt, sourceIde }: StoredBundle): JsonObject {
  return { ...bundle, project_id: projectId, last_source_ide: sourceIde, updated_at: updatedAt };
}
