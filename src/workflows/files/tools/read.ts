import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { failed } from '../../../workspace/failures.ts';
import { languageOf } from '../../../workspace/languages.ts';
import { readBytes, withFile } from '../../../workspace/read-file.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { decodeFile, encodingOf } from '../text/encoding.ts';
import { typeOfBinary, typeOfText } from '../text/media-type.ts';
import { CHARACTER_ROOM, textPart } from '../text/read-part.ts';
import { inWords } from './in-words.ts';
import { pathArgument, READS, sandboxFor, type Toolbox } from './toolbox.ts';

/** The largest answer at once: it is in the answer twice, as text and as structured content. */
const MOST_AT_ONCE = 8 * 1024 ** 2;
const START = 64;

interface Range {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export function readFileTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_read',
    title: 'Files: read',
    description:
      'Reads a file of the workspace. Text is returned as text, anything else as base64. Files over 8 MiB are read in parts, by offset and limit.',
    input: z.object({
      path: pathArgument('Path to the file'),
      offset: z.int().min(0).optional().describe('First byte of a part; the part begins with a whole character'),
      limit: z.int().min(1).max(MOST_AT_ONCE).optional().describe('Most bytes of a part; no character is cut'),
    }),
    output: z.object({
      content: z.string().describe('The text without a byte order mark, or base64'),
      language: z.string(),
      path: z.string(),
      encoding: z
        .enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'base64'])
        .describe('Encoding of content; base64 if the file is not text'),
      mimeType: z.string(),
      size: z.int().describe('Bytes of the whole file'),
      offset: z.int().optional().describe('First byte of the part'),
      nextOffset: z.int().optional().describe('Offset of the next part; absent at the end'),
    }),
    annotations: READS,
    audit: 'info',
    run: async ({ path, ...range }, context) => {
      const sandbox = await sandboxFor(toolbox, context);
      const read = await inWords(path, () =>
        sandbox.at(path, { follow: true, intent: 'read' }, (place) =>
          withFile(place, (handle, facts) => readRange(path, handle, { facts, range })),
        ),
      );
      return { ...read, language: languageOf(path), path };
    },
  });
}

function readRange(
  path: string,
  handle: FileHandle,
  { facts, range }: { readonly facts: BigIntStats; readonly range: Range },
) {
  const isPart = range.offset !== undefined || range.limit !== undefined;
  return isPart ? readPart(path, handle, { facts, range }) : readWhole(path, handle, facts);
}

async function readWhole(path: string, handle: FileHandle, facts: BigIntStats) {
  // One more tells whether the file has grown meanwhile. Files such as those of /proc say that they have no size.
  const expected = facts.size === 0n ? MOST_AT_ONCE : Math.min(Number(facts.size), MOST_AT_ONCE);
  const bytes = await readBytes(handle, 0, expected + 1);
  if (facts.size > MOST_AT_ONCE || bytes.length > MOST_AT_ONCE)
    throw failed(path, `it has ${facts.size} bytes: read it in parts, with offset and limit (up to ${MOST_AT_ONCE})`);
  const size = bytes.length;
  const text = decodeFile(bytes);
  if (text !== undefined) return { content: text.text, encoding: text.encoding, mimeType: typeOfText(path), size };
  return { content: bytes.toString('base64'), encoding: 'base64' as const, mimeType: typeOfBinary(path, bytes), size };
}

async function readPart(
  path: string,
  handle: FileHandle,
  { facts, range }: { readonly facts: BigIntStats; readonly range: Range },
) {
  const { offset = 0, limit = MOST_AT_ONCE } = range;
  const size = Number(facts.size);
  const [start, bytes] = [await readBytes(handle, 0, START), await readBytes(handle, offset, limit + CHARACTER_ROOM)];
  const encoding = encodingOf(start);
  const part = textPart(bytes, { offset, limit, encoding });
  if (part !== undefined)
    return {
      content: part.text,
      encoding,
      mimeType: typeOfText(path),
      size,
      offset: part.from,
      ...next(part.to, size),
    };
  const raw = bytes.subarray(0, limit);
  const mimeType = typeOfBinary(path, start);
  return {
    content: raw.toString('base64'),
    encoding: 'base64' as const,
    mimeType,
    size,
    offset,
    ...next(offset + raw.length, size),
  };
}

function next(at: number, size: number): { nextOffset?: number } {
  return at < size ? { nextOffset: at } : {};
}
