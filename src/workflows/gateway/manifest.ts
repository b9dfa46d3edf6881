import { z } from 'zod';
import { defineWorkflow } from '../define.ts';

/** Tools by which the gateway describes itself to agents; none of them changes anything. */
export const gatewayWorkflow = defineWorkflow({
  name: 'gateway',
  description: 'Read-only tools with which an agent finds out why a tool is missing, and how the servers are',
  options: z.strictObject({}).prefault({}),
  prefixes: [],
  toolNamesBegin: ['viaduct_'],
  load: async () => (await import('./workflow.ts')).createGatewayTools,
});
