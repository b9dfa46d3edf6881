import type { CreateWorkflow } from '../define.ts';
import type { IdeOptions } from './options.ts';

export const createIde: CreateWorkflow<IdeOptions> = () => ({
  tools: () => [],
  start: () => undefined,
  stop: async () => undefined,
});
