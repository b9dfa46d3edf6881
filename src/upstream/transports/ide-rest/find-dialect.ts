import { trimmedEnd } from '../../../core/text/trimmed.ts';
import type { HttpEndpoint } from '../http/endpoint.ts';
import { askIdeWithin, type IdeAnswer } from './ask-ide.ts';
import { isRpcError, toolsIn } from './dialect.ts';

/** The paths at which the REST dialect may start: VS Code's plug-in, and those of JetBrains' IDEs. */
const PREFIXES = ['/mcp', '/api/mcp'];

/** The largest list of tools, in bytes; no IDE's comes near. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/** The dialect of a plug-in, and its url. */
export interface IdeDialect {
  /** `rest`: a path for each tool. `json-rpc`: MCP by POST, which the transport `http` speaks. */
  readonly name: 'rest' | 'json-rpc';
  /** The start of every path of the REST dialect; in the other dialect, the url to which messages are posted. */
  readonly url: string;
}

export type FoundDialect =
  | IdeDialect
  /** Nothing listens there; or the listener says nothing; or it is not a plug-in. */
  | { readonly problem: 'closed' | 'silent' | 'foreign'; readonly reason: string };

/** Asks whether there is a plug-in at an address and which dialect it speaks; each question has `ms`. */
export async function findDialect(address: HttpEndpoint, ms: number): Promise<FoundDialect> {
  let last: FoundDialect | undefined;
  for (const candidate of candidatesOf(address.url)) {
    const question = { url: `${candidate}/list_tools`, maxBytes: MAX_LIST_BYTES };
    last = judge(candidate, await askIdeWithin(ms, address, question));
    if (!('problem' in last) || last.problem !== 'foreign') return last;
  }
  return last!;
}

function candidatesOf({ origin, pathname }: URL): string[] {
  const path = trimmedEnd(pathname, '/');
  return path === '' ? PREFIXES.map((prefix) => `${origin}${prefix}`) : [`${origin}${path}`];
}

function judge(url: string, answer: IdeAnswer | undefined): FoundDialect {
  if (answer === undefined) return { problem: 'silent', reason: 'it does not answer' };
  if (answer.kind === 'unreachable') return { problem: 'closed', reason: answer.reason };
  if (answer.kind === 'failed') return { problem: 'foreign', reason: `no IDE's plug-in: ${answer.failure.reason}` };
  if (answer.status < 300 && toolsIn(answer.frame) !== undefined) return { name: 'rest', url };
  if (isRpcError(answer.frame)) return { name: 'json-rpc', url };
  return { problem: 'foreign', reason: `no IDE's plug-in: HTTP ${answer.status} and no list of tools` };
}
