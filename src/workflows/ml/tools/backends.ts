import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ASKS, defaultBackend, type Toolbox } from './toolbox.ts';

export function backendsTool({ models }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ml_backends',
    title: 'Models: backends',
    description:
      'Lists the backends that run language models, and whether they can be used now. client is your own model, by sampling.',
    input: z.strictObject({}),
    output: z.object({
      backends: z.array(
        z.object({
          name: z.string(),
          available: z.boolean().describe('True if it can be used now'),
          reason: z.string().optional().describe('Why it cannot, and what to do'),
        }),
      ),
      default: z.string().describe('The backend that answers if a call names none; empty if there is none'),
    }),
    annotations: { ...ASKS, idempotentHint: true },
    audit: 'info',
    run: async (_args, context) => {
      const open = await models();
      const states = await open.states(context.sampling);
      const backends = states.map(({ name, available, reason }) => ({
        name,
        available,
        ...(reason !== undefined && { reason }),
      }));
      return { backends, default: defaultBackend(open, context) };
    },
  });
}
