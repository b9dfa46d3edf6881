import { AgentFileError } from './agent-text.ts';
import { type AgentInput, readInputs } from './references.ts';

/** One list of servers in an agent's file. */
export interface ServerList {
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly servers: Readonly<Record<string, unknown>>;
  readonly inputs: readonly AgentInput[];
  /** The project that it is for, where the file says so. */
  readonly folder?: string;
  /** Names of servers that are switched off elsewhere in the file, in this list or another for the same project. */
  readonly switchedOff: readonly string[];
}

/** Keys that lead to a list of servers. The first list that is present is used. */
const PLACES: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['context_servers'],
  ['mcp_servers'],
  ['mcp', 'servers'],
];

/**
 * Returns the lists of servers in the value of an agent's file, however the agent calls them; those of single projects too.
 * @throws AgentFileError if a list is none
 */
export function findServerLists(root: unknown): ServerList[] {
  const top = PLACES.map((path) => listAt(root, path)).find((list) => list !== undefined) ?? opencodeList(root);
  const projects = Object.entries(objectAt(root, ['projects']) ?? {});
  const ofProjects = projects.flatMap(([folder, project]) => {
    const list = listAt(root, ['projects', folder, 'mcpServers']);
    const switchedOff = ['disabledMcpServers', 'disabledMcpjsonServers'].flatMap((key) => namesAt(project, key));
    if (list === undefined && switchedOff.length === 0) return [];
    return [{ ...(list ?? EMPTY), path: ['projects', folder, 'mcpServers'], folder, switchedOff }];
  });
  const ofAll = top === undefined ? [] : [{ ...top, switchedOff: switchedOffIn(root, Object.keys(top.servers)) }];
  return [...ofAll, ...ofProjects];
}

/** opencode has its servers under `mcp` itself. */
function opencodeList(root: unknown): ServerList | undefined {
  const list = listAt(root, ['mcp']);
  const isServer = (value: unknown): boolean => ['command', 'url', 'type'].some((key) => hasMember(value, key));
  return list !== undefined && Object.values(list.servers).some(isServer) ? list : undefined;
}

function hasMember(value: unknown, key: string): boolean {
  return Object.hasOwn(objectAt(value, []) ?? {}, key);
}

/** Gemini CLI names under `mcp` which of its servers it may use, and which not. */
function switchedOffIn(root: unknown, servers: readonly string[]): string[] {
  const mcp = objectAt(root, ['mcp']);
  const excluded = namesAt(mcp, 'excluded');
  if (!Array.isArray(mcp?.allowed)) return excluded;
  const allowed = new Set(namesAt(mcp, 'allowed'));
  return [...excluded, ...servers.filter((name) => !allowed.has(name))];
}

const EMPTY = { servers: {}, inputs: [] };

function listAt(root: unknown, path: readonly string[]): ServerList | undefined {
  const parent = objectAt(root, path.slice(0, -1));
  const value = parent?.[path.at(-1)!];
  if (value === undefined || value === null) return undefined;
  const servers = objectAt(value, []);
  if (servers === undefined) throw new AgentFileError(`${path.join('.')} is not a list of servers`);
  return { path, servers, inputs: readInputs(parent?.inputs), switchedOff: [] };
}

function objectAt(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const [key, ...rest] = path;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const object = value as Readonly<Record<string, unknown>>;
  if (key === undefined) return object;
  return Object.hasOwn(object, key) ? objectAt(object[key], rest) : undefined;
}

function namesAt(value: unknown, key: string): string[] {
  const names = objectAt(value, [])?.[key];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
