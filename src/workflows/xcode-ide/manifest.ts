import { defineWorkflow } from '../define.ts';
import { PREFIX, type XcodeOptions, xcodeOptions } from './options.ts';

/** Xcode's tools, through Apple's own bridge (seed 004). */
export const xcodeIde = defineWorkflow<XcodeOptions>({
  name: 'xcode-ide',
  description: "Xcode's own tools as xcode_tools_*, through Apple's xcrun mcpbridge",
  options: xcodeOptions,
  prefixes: [PREFIX],
  toolNamesBegin: [`${PREFIX}_`],
  load: async () => (await import('./workflow.ts')).createXcodeIde,
});
