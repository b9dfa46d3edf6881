import type { Settings } from '../load-settings.ts';

const WORKFLOW = 'checkpoint';

/**
 * Settings for a gateway that lives for one command about checkpoints: it starts no server.
 * @throws Error when the workflow is not switched on
 */
export function checkpointsOnly<T extends Pick<Settings, 'config' | 'configPath'>>(settings: T): T {
  if (!isCheckpointOn(settings)) {
    throw new Error(`the workflow "${WORKFLOW}" is off. Add it to enabledWorkflows in ${settings.configPath}`);
  }
  // Tasks of the project are part of a briefing.
  const enabledWorkflows = settings.config.enabledWorkflows.filter((name) => name === WORKFLOW || name === 'tasks');
  return { ...settings, config: { ...settings.config, enabledWorkflows, upstreams: [], broken: [] } };
}

export function isCheckpointOn({ config }: Pick<Settings, 'config'>): boolean {
  return config.enabledWorkflows.includes(WORKFLOW);
}
