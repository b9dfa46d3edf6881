import { renderBriefing } from '../../../workflows/checkpoint/bundle/briefing.ts';
import { renderOpenTasks } from '../../../workflows/checkpoint/bundle/open-tasks.ts';
import type { CheckpointClient } from '../checkpoint-client.ts';

/** Claude Code puts no more than 10,000 characters of a hook's output before the model. */
const MAX_CHARS = 9_500;
const LEVELS = ['L3', 'L2', 'L1', 'L0'] as const;

/** Returns a briefing for a new session, as long as fits; `undefined` if nothing was saved and there are no open tasks. */
export async function briefingFor(checkpoints: CheckpointClient): Promise<string | undefined> {
  const projectId = await checkpoints.project();
  const { bundle, openTasks } = await checkpoints.load(projectId);
  if (bundle === undefined) return openTasks === undefined ? undefined : `${renderOpenTasks(openTasks)}\n`;
  const briefings = LEVELS.map((level) => renderBriefing(bundle, level, openTasks));
  const fitting = briefings.find((text) => text.length <= MAX_CHARS);
  return fitting ?? `${briefings.at(-1)!.slice(0, MAX_CHARS)}\n…\nMore of it: load_checkpoint`;
}
