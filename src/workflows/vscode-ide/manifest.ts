import { defineWorkflow } from '../define.ts';
import { PREFIX, type VscodeOptions, vscodeOptions } from './options.ts';

/** The tools of VS Code's plug-in ggMCP, in either of its two dialects (seed 002). */
export const vscodeIde = defineWorkflow<VscodeOptions>({
  name: 'vscode-ide',
  description: "VS Code's own tools as vscode_*, through the plug-in ggMCP4VSCode",
  options: vscodeOptions,
  prefixes: [PREFIX],
  toolNamesBegin: [`${PREFIX}_`],
  load: async () => (await import('./workflow.ts')).createVscodeIde,
});
