import { z } from 'zod';
import type { WorkspaceSettings } from '../../../core/settings/workspace-settings.ts';
import type { Guard } from '../../../workspace/protection/guard.ts';
import type { ToolAnnotations } from '../../define.ts';
import type { LazyBuilds } from '../lazy-builds.ts';
import type { ProcessOptions } from '../options.ts';
import type { Supervisor } from '../supervisor.ts';

/** The parts that the workflow's tools work with. */
export interface Toolbox {
  readonly supervisor: Supervisor;
  readonly builds: LazyBuilds;
  readonly options: ProcessOptions;
  readonly workspace: WorkspaceSettings;
  readonly guard: () => Guard;
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A program may do anything, here and elsewhere. */
export const RUNS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export const ENDS: ToolAnnotations = { ...RUNS, idempotentHint: true, openWorldHint: false };

export const processId = z.string().min(1).describe('Id of the process, as process_start gave it');

/** The result of a tool that acts on a process. */
export const outcome = z.object({
  id: z.string(),
  success: z.boolean(),
  message: z.string().optional(),
});
