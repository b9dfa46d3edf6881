import type { Settings } from '../../gateway/settings/load-settings.ts';
import { workflowsOnly } from '../../gateway/settings/workflows-only.ts';

const WORKFLOW = 'checkpoint';

/**
 * Settings for a gateway that lives for one command about checkpoints: it starts no server. Tasks are part of a briefing.
 * @throws Error when the workflow is not switched on
 */
export function checkpointsOnly<T extends Pick<Settings, 'config' | 'configPath'>>(settings: T): T {
  return workflowsOnly(settings, WORKFLOW, ['tasks']);
}

export function isCheckpointOn({ config }: Pick<Settings, 'config'>): boolean {
  return config.enabledWorkflows.includes(WORKFLOW);
}
