import { z } from 'zod';
import type { Outline, OutlineFile } from '../../../knowledge/index/knowledge.ts';
import type { ToolDefinition } from '../../define.ts';
import { defineProjectTool, READS } from '../../define-project-tool.ts';
import type { Toolbox } from './toolbox.ts';

const MAX_SYMBOLS = 2_000;

export function codeOutline({ knowledge, places }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'code_outline',
    title: 'Code: outline',
    description:
      'Lists the functions, methods and classes of a file, or of all files in a folder, with their lines. Use it instead of reading whole files.',
    input: z.strictObject({
      path: z
        .string()
        .max(4_096)
        .default('.')
        .describe('A file or folder in the workspace: absolute, or relative to the folder that you work in'),
    }),
    output: z.object({
      files: z.array(
        z.object({
          file_path: z.string().describe('Relative to the repository'),
          symbols: z.array(
            z.object({
              symbol: z.string().describe('Name with its parents, such as Parser.parse'),
              kind: z.string(),
              signature: z.string().describe('Its first line'),
              start_line: z.int().describe('1-based and inclusive, like end_line'),
              end_line: z.int(),
            }),
          ),
        }),
      ),
      truncated: z.boolean().describe('True if symbols were left out: ask for a folder or a file below'),
    }),
    annotations: READS,
    run: async ({ path: place }, context) => {
      const { root, relative } = await places.find(place, context);
      const outline = await knowledge.outline(root, relative, { signal: context.signal });
      return shown(outline, await places.readable(root));
    },
  });
}

async function shown(outline: Outline, isReadable: (file: string) => Promise<boolean>) {
  const files: OutlineFile[] = [];
  let symbols = 0;
  let isCut = outline.isCut;
  for (const file of outline.files) {
    if (!(await isReadable(file.path))) continue;
    if (symbols + file.symbols.length > MAX_SYMBOLS && files.length > 0) {
      isCut = true;
      break;
    }
    symbols += file.symbols.length;
    files.push(file);
  }
  return {
    files: files.map((file) => ({
      file_path: file.path,
      symbols: file.symbols.map(({ symbol, kind, head, startLine, endLine }) => ({
        symbol,
        kind,
        signature: head,
        start_line: startLine,
        end_line: endLine,
      })),
    })),
    truncated: isCut,
  };
}
