import path from 'node:path';
import { EXIT } from '../../terminal/exit-codes.ts';
import { print, printJson } from '../../terminal/print.ts';
import { withCheckpoints } from '../with-checkpoints.ts';
import { saveAgentState } from './save-agent-state.ts';

export interface CaptureOptions {
  readonly config?: string;
  readonly folder?: string;
  readonly turns: number;
  readonly json?: boolean;
}

/** Saves what an agent has left on the disk, for an agent that did not save by itself. */
export async function captureCheckpoint(ide: string, options: CaptureOptions): Promise<void> {
  const { config, turns, json } = options;
  const folder = path.resolve(options.folder ?? '');
  const outcome = await withCheckpoints({ config, ide, folder }, (checkpoints) =>
    saveAgentState(checkpoints, { env: process.env, keep: turns, force: true }),
  );
  if (json === true) printJson(outcome);
  else if (outcome.saved) print(`${outcome.projectId}: saved ${outcome.fields.join(', ')}`);
  else print(`${outcome.projectId}: nothing was saved (${outcome.reason ?? 'no reason given'})`);
  process.exitCode = outcome.saved ? EXIT.ok : EXIT.failed;
}
