import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { objectOf } from './json.ts';
import { BUNDLE_VERSION } from './schema.ts';

/** The author and time of a change to a bundle. */
export interface ChangeStamp {
  readonly projectId: string;
  readonly sourceIde: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The way in which the project was found, if known. */
  readonly project?: { readonly resolved_from: string; readonly root_path_fingerprint?: string };
}

/** Returns the members at the top of a bundle that say who has made it and when. */
export function header(previousBundleId: unknown, { projectId, sourceIde, at }: ChangeStamp): JsonObject {
  return {
    pcb_version: BUNDLE_VERSION,
    bundle_id: nextBundleId(previousBundleId),
    project_id: projectId,
    last_source_ide: sourceIde,
    updated_at: at,
  };
}

/** Returns the member `project` with what the change says about it; `undefined` if there is none. */
export function stampedProject(before: unknown, { projectId, project }: ChangeStamp): JsonObject | undefined {
  if (project === undefined && before === undefined) return undefined;
  return { ...objectOf(before), id: projectId, ...project };
}

function nextBundleId(previous: unknown): string {
  const count = /^bnd_(\d{1,12})$/.exec(String(previous))?.[1] ?? '0';
  return `bnd_${Number(count) + 1}`;
}
