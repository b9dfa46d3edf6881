/** A text of ours inside a file of the user's, with the agents that it is there for. */
const BLOCK = /<!-- viaduct:begin agents=([a-z,-]*) -->[\s\S]*?<!-- viaduct:end -->/;

export interface OurText {
  /** Begins a file that is new. */
  readonly header: string;
  /** The text for these agents. */
  readonly body: (agents: readonly string[]) => string;
}

/** The file with our block for one agent more. */
export function addBlock(text: string | undefined, agent: string, { header, body }: OurText): string {
  const old = BLOCK.exec(text ?? '');
  const agents = [...new Set([...agentsIn(old), agent])].sort();
  const block = blockFor(agents, body);
  if (text === undefined || text.trim() === '') return `${header}${block}\n`;
  if (old !== null) return splice(text, old, withLineEnds(block, text));
  const gap = /\n\s*\n$/.test(text) ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${withLineEnds(`${gap}${block}\n`, text)}`;
}

/**
 * The file without our block for this agent; the block stays while it is there for others. `undefined` where nothing
 * but our own text is left.
 */
export function removeBlock(text: string, agent: string, { header, body }: OurText): string | undefined {
  const old = BLOCK.exec(text);
  if (old === null || !agentsIn(old).includes(agent)) return text;
  const others = agentsIn(old).filter((name) => name !== agent);
  if (others.length > 0) return splice(text, old, withLineEnds(blockFor(others, body), text));
  const before = text.slice(0, old.index);
  const after = text.slice(old.index + old[0].length).replace(/^\r?\n/, '');
  const rest = after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after;
  return rest.trim() === header.trim() ? undefined : rest;
}

/** What the user wrote in such a file, without our block. */
export function withoutBlocks(text: string): string {
  return text.replace(new RegExp(BLOCK.source, 'g'), '').trim();
}

function blockFor(agents: readonly string[], body: OurText['body']): string {
  return `<!-- viaduct:begin agents=${agents.join(',')} -->\n${body(agents)}\n<!-- viaduct:end -->`;
}

function agentsIn(match: RegExpExecArray | null): string[] {
  return (match?.[1] ?? '').split(',').filter((name) => name !== '');
}

function splice(text: string, { index, 0: old }: RegExpExecArray, block: string): string {
  return text.slice(0, index) + block + text.slice(index + old.length);
}

function withLineEnds(block: string, like: string): string {
  return like.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block;
}
