import { defineWorkflow } from '../define.ts';
import { type MetricsOptions, metricsOptions } from './options.ts';

/** What agents record of their work, and how much of it there was (seed 001). */
export const metricsWorkflow = defineWorkflow<MetricsOptions>({
  name: 'metrics',
  description: 'Tools with which agents record events of their work, and count them by type, repository and agent',
  options: metricsOptions,
  prefixes: [],
  toolNamesBegin: ['metrics_'],
  usesDatabase: true,
  load: async () => (await import('./workflow.ts')).createMetrics,
});
