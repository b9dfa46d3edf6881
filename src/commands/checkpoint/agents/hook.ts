import { EXIT } from '../../terminal/exit-codes.ts';
import { print, printError } from '../../terminal/print.ts';
import { withCheckpoints } from '../with-checkpoints.ts';
import { readHookInput } from './hook-input.ts';
import { saveAgentState } from './save-agent-state.ts';
import { briefingFor } from './session-briefing.ts';

const IDE = 'claude-code';
/** Turns of the conversation that are kept. */
const KEEP = 20;

export interface HookOptions {
  readonly config?: string;
}

/**
 * Runs as a hook of Claude Code. On any error, the exit code is 1 and never 2: with 2 Claude Code would not let
 * its user stop.
 */
export async function runHook(does: 'load' | 'save', { config }: HookOptions): Promise<void> {
  try {
    const { folder, transcript, event } = await readHookInput(process.stdin, process.env, process.cwd());
    await withCheckpoints({ config, ide: IDE, folder }, async (checkpoints) => {
      if (does === 'load') {
        const briefing = await briefingFor(checkpoints);
        if (briefing !== undefined) print(briefing);
        return;
      }
      const force = event === 'PreCompact';
      await saveAgentState(checkpoints, { env: process.env, keep: KEEP, transcript, force, conversationOnly: true });
    });
  } catch (error) {
    printError(`viaduct: the checkpoint hook failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = EXIT.failed;
  }
}
