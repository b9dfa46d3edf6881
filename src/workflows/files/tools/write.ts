import { z } from 'zod';
import { failed } from '../../../workspace/failures.ts';
import { writeFile } from '../../../workspace/mutations.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { editText } from '../text/edit-text.ts';
import { decodeFile, encodeFile, TEXT_ENCODINGS } from '../text/encoding.ts';
import { nearestLines } from '../text/nearest-lines.ts';
import { CHANGES, changeBy, pathArgument, type Toolbox } from './toolbox.ts';

const ENCODINGS = [...TEXT_ENCODINGS, 'base64'] as const;
type Encoding = (typeof ENCODINGS)[number];

export function writeFileTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_write',
    title: 'Files: write',
    description:
      'Writes a whole file of the workspace: a new one, in directories that are made if they are missing, or in the place of the one that is there, which workspace_undo brings back.',
    input: z.object({
      path: pathArgument('Destination path'),
      content: z.string().describe('The new content of the file as a whole'),
      encoding: z
        .enum(ENCODINGS)
        .optional()
        .describe('How it is written; as the file is now where this is missing, else utf-8. base64 writes bytes'),
    }),
    output: z.object({ success: z.boolean(), path: z.string() }),
    annotations: { ...CHANGES, idempotentHint: true },
    audit: 'security',
    run: async ({ path, content, encoding }, context) => {
      if (encoding === 'base64' && !isBase64(content)) throw failed(path, 'content is no base64; nothing was written');
      checkText(path, { content });
      const request = await changeBy(toolbox, context, { tool: 'file_write', path });
      await writeFile(toolbox.changes, request, (before) => ({
        bytes: bytesOf(content, encoding ?? (before && decodeFile(before)?.encoding) ?? 'utf-8'),
        result: undefined,
      }));
      return { success: true, path };
    },
  });
}

export function editFileTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_edit',
    title: 'Files: edit',
    description:
      'Changes a text file in one place, or in all matching places: replaces old_string with new_string, only the first occurrence unless replace_all is true.',
    input: z.object({
      path: pathArgument('Path to the file'),
      old_string: z
        .string()
        .min(1, { error: 'must not be empty: file_write writes a file as a whole' })
        .describe('The text to replace, exactly as it is in the file, including white space'),
      new_string: z.string().describe('The replacement; may be empty'),
      replace_all: z.boolean().optional().describe('Replace every occurrence; by default, only the first one'),
    }),
    output: z.object({ path: z.string(), success: z.boolean(), replacements: z.int() }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ path, old_string, new_string, replace_all = false }, context) => {
      checkText(path, { old_string, new_string });
      const request = await changeBy(toolbox, context, { tool: 'file_edit', path });
      const edit = { oldString: old_string, newString: new_string, all: replace_all };
      const replacements = await writeFile(toolbox.changes, request, (before) => edited(path, before, edit));
      return { path, success: true, replacements };
    },
  });
}

function edited(path: string, before: Buffer | undefined, edit: Parameters<typeof editText>[1]) {
  if (before === undefined) throw failed(path, 'there is no such file: file_write creates files');
  const file = decodeFile(before);
  if (file === undefined) throw failed(path, 'it is not text, and can only be written as a whole');
  const { text, replacements, excess } = editText(file.text, edit);
  if (excess !== undefined)
    throw failed(path, `it would have ${excess} characters, which is too long; nothing was written`);
  if (replacements === 0) throw failed(path, notFound(file.text, edit.oldString));
  return { bytes: encodeFile({ text, encoding: file.encoding }), result: replacements };
}

function notFound(text: string, wanted: string): string {
  const near = nearestLines(text, wanted);
  if (near.length === 0) return 'old_string is not in it, and nothing like it was found: read the file again';
  return `old_string is not in it exactly as it was given. The nearest are, by line number:\n${near.join('\n…\n')}\n`;
}

function bytesOf(content: string, encoding: Encoding): Buffer {
  if (encoding === 'base64') return Buffer.from(content, 'base64');
  // A mark that is written anyway is not written twice.
  const text = encoding === 'utf-8' ? content : content.replace(/^\uFEFF/, '');
  return encodeFile({ text, encoding });
}

/** No encoding has half characters: something else would be written. */
function checkText(path: string, texts: Readonly<Record<string, string>>): void {
  const name = Object.keys(texts).find((key) => !texts[key]!.isWellFormed());
  if (name !== undefined)
    throw failed(path, `${name} contains half a character (a lone surrogate); nothing was written`);
}

function isBase64(text: string): boolean {
  const plain = text.replaceAll(/\s/g, '').replace(/={1,2}$/, '');
  return /^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1;
}
