import type { CreateWorkflow } from '../define.ts';
import { statusTool, whyTool } from './tools.ts';

export const createGatewayTools: CreateWorkflow = ({ gateway }) => {
  const tools = [statusTool(gateway), whyTool(gateway)];
  return { tools: () => tools, start: () => undefined, stop: async () => undefined };
};
