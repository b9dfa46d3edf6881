import type { Settings } from './load-settings.ts';

/**
 * Returns settings for a gateway that lives for one command about a workflow: it starts no server.
 * @param also workflows that it has as well where they are on
 * @throws Error when the workflow is not switched on
 */
export function workflowsOnly<T extends Pick<Settings, 'config' | 'configPath'>>(
  settings: T,
  workflow: string,
  also: readonly string[] = [],
): T {
  const { enabledWorkflows } = settings.config;
  if (!enabledWorkflows.includes(workflow))
    throw new Error(`the workflow "${workflow}" is off. Add it to enabledWorkflows in ${settings.configPath}`);
  const kept = enabledWorkflows.filter((name) => name === workflow || also.includes(name));
  return { ...settings, config: { ...settings.config, enabledWorkflows: kept, upstreams: [], broken: [] } };
}
