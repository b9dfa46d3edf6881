import { findBlock, type MarkedBlock } from '../../../../agents/files/marked-block.ts';

/** The marks around a text of ours in a file of the user's, with the agents that it is there for. */
const BEGIN = /<!-- viaduct:begin agents=([a-z,-]*) -->/;
const END = /<!-- viaduct:end -->/;

export interface OurText {
  /** Begins a file that is new. */
  readonly header: string;
  /** The text for these agents. */
  readonly body: (agents: readonly string[]) => string;
}

/** The file with our block for one agent more. */
export function addBlock(text: string | undefined, agent: string, { header, body }: OurText): string {
  const old = findBlock(text ?? '', BEGIN, END);
  const agents = [...new Set([...agentsIn(old), agent])].sort();
  const block = blockFor(agents, body);
  if (text === undefined || text.trim() === '') return `${header}${block}\n`;
  if (old !== undefined) return splice(text, old, withLineEnds(block, text));
  const gap = endsWithEmptyLine(text) ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${withLineEnds(`${gap}${block}\n`, text)}`;
}

/**
 * The file without our block for this agent; the block stays while it is there for others. `undefined` where nothing
 * but our own text is left.
 */
export function removeBlock(text: string, agent: string, { header, body }: OurText): string | undefined {
  const old = findBlock(text, BEGIN, END);
  if (old === undefined || !agentsIn(old).includes(agent)) return text;
  const others = agentsIn(old).filter((name) => name !== agent);
  if (others.length > 0) return splice(text, old, withLineEnds(blockFor(others, body), text));
  const before = text.slice(0, old.start);
  const after = text.slice(old.end).replace(/^\r?\n/, '');
  const rest = after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after;
  return rest.trim() === header.trim() ? undefined : rest;
}

/** What the user wrote in such a file, without our block. */
export function withoutBlocks(text: string): string {
  const kept: string[] = [];
  let rest = text;
  for (let block = findBlock(rest, BEGIN, END); block !== undefined; block = findBlock(rest, BEGIN, END)) {
    kept.push(rest.slice(0, block.start));
    rest = rest.slice(block.end);
  }
  return [...kept, rest].join('').trim();
}

function blockFor(agents: readonly string[], body: OurText['body']): string {
  return `<!-- viaduct:begin agents=${agents.join(',')} -->\n${body(agents)}\n<!-- viaduct:end -->`;
}

function agentsIn(block: MarkedBlock | undefined): string[] {
  return (block?.begin[1] ?? '').split(',').filter((name) => name !== '');
}

function splice(text: string, { start, end }: MarkedBlock, block: string): string {
  return text.slice(0, start) + block + text.slice(end);
}

function endsWithEmptyLine(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end.endsWith('\n') && end.indexOf('\n') < end.length - 1;
}

function withLineEnds(block: string, like: string): string {
  return like.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block;
}
