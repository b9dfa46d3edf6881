import { defineWorkflow } from '../define.ts';
import { type MetricsOptions, metricsOptions } from './options.ts';

/** Records and counts of the work of agents (seed 001). */
export const metricsWorkflow = defineWorkflow<MetricsOptions>({
  name: 'metrics',
  description: 'Tools with which agents record events of their work, and count them by type, repository and agent',
  options: metricsOptions,
  prefixes: [],
  toolNamesBegin: ['metrics_'],
  usesDatabase: true,
  load: async () => (await import('./workflow.ts')).createMetrics,
});
