import type { CreateWorkflow } from '../define.ts';
import { langDetect, langList } from './tools.ts';

const TOOLS = [langDetect, langList];

export const createLanguageTools: CreateWorkflow = () => ({
  tools: () => TOOLS,
  start: () => undefined,
  stop: async () => undefined,
});
