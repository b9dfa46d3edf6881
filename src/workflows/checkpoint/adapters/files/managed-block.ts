import { FileEditError, lineEndOf, type TextRange, withLineEndsOf } from '../../../../agents/files/text-edits.ts';

/** The marks around a text of ours in a file of the user's, with the agents that it is there for. */
const BEGIN = /<!-- viaduct:begin agents=([a-z,-]*) -->/g;
const END = '<!-- viaduct:end -->';

export interface OurText {
  /** Text at the beginning of a new file. */
  readonly header: string;
  /** The text for these agents. */
  readonly body: (agents: readonly string[]) => string;
}

/** A part of a text between two marks, the marks included. */
interface Block extends TextRange {
  readonly agents: readonly string[];
  /** Text between the marks, without their line ends. */
  readonly inner: string;
}

/**
 * Returns the file with our block for one agent more. Lines that others have put into the block come behind it.
 * @throws FileEditError if our own lines in the block were changed
 */
export function addBlock(text: string | undefined, agent: string, { header, body }: OurText): string {
  const old = findBlock(text ?? '');
  const agents = [...new Set([...(old?.agents ?? []), agent])].sort();
  const block = blockFor(agents, body);
  if (text === undefined || text.trim() === '') {
    return `${text?.startsWith('\uFEFF') === true ? '\uFEFF' : ''}${withLineEndsOf(`${header}${block}\n`, text ?? '')}`;
  }
  if (old !== undefined) return splice(text, old, [withLineEndsOf(block, text), ...foreignLines(old, body)]);
  const gap = text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${withLineEndsOf(`${gap}${block}\n`, text)}`;
}

/**
 * Returns the file without our block for this agent; the block stays while it is there for others, and lines that others have put
 * into it stay in any case. Returns `undefined` if nothing but our own text is left.
 * @throws FileEditError if our own lines in the block were changed
 */
export function removeBlock(text: string, agent: string, { header, body }: OurText): string | undefined {
  const old = findBlock(text);
  if (old === undefined || !old.agents.includes(agent)) return text;
  const foreign = foreignLines(old, body);
  const others = old.agents.filter((name) => name !== agent);
  if (others.length > 0) return splice(text, old, [withLineEndsOf(blockFor(others, body), text), ...foreign]);
  if (foreign.length > 0) return splice(text, old, foreign);
  const before = text.slice(0, old.start);
  const after = text.slice(old.end).replace(/^\r?\n/, '');
  const rest = after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after;
  return rest.trim() === header.trim() ? undefined : rest;
}

/** Returns what the user wrote in such a file, without our block. */
export function withoutBlocks(text: string): string {
  const kept: string[] = [];
  let rest = text;
  for (let block = findBlock(rest); block !== undefined; block = findBlock(rest)) {
    kept.push(rest.slice(0, block.start));
    rest = rest.slice(block.end);
  }
  return [...kept, rest].join('').trim();
}

/**
 * Returns the first block that ends. A first mark whose end is missing is text of the user's: the block begins at the last
 * one.
 */
function findBlock(text: string): Block | undefined {
  let from = 0;
  for (;;) {
    const end = text.indexOf(END, from);
    if (end === -1) return undefined;
    const begin = [...text.slice(from, end).matchAll(BEGIN)].at(-1);
    if (begin !== undefined) {
      const start = from + begin.index;
      const inner = text
        .slice(start + begin[0].length, end)
        .replace(/^\r?\n/, '')
        .replace(/\r?\n$/, '');
      const agents = begin[1]!.split(',').filter((name) => name !== '');
      return { start, end: end + END.length, agents, inner };
    }
    from = end + END.length;
  }
}

function blockFor(agents: readonly string[], body: OurText['body']): string {
  return `<!-- viaduct:begin agents=${agents.join(',')} -->\n${body(agents)}\n${END}`;
}

/**
 * Returns the lines in a block that are not ours. Ours must all be there, in their order.
 * @throws FileEditError if that is not so
 */
function foreignLines({ agents, inner }: Block, body: OurText['body']): string[] {
  const ours = body(agents).split('\n');
  const foreign: string[] = [];
  let next = 0;
  for (const line of inner.split(/\r?\n/)) {
    if (next < ours.length && line === ours[next]) next++;
    else foreign.push(line);
  }
  if (next === ours.length) return foreign;
  throw new FileEditError(
    'the text between its marks "viaduct:begin" and "viaduct:end" was changed: delete it with the marks, or undo the change',
  );
}

function splice(text: string, { start, end }: TextRange, parts: readonly string[]): string {
  return text.slice(0, start) + parts.join(lineEndOf(text)) + text.slice(end);
}
