import { asObject, isObject } from '../core/json/as-object.ts';
import { withoutTasks } from './tasks.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** The capabilities of peers that the gateway passes on unchanged: extensions other than tasks, and experiments. */
export interface PassedCapabilities {
  readonly extensions?: Capabilities;
  readonly experimental?: Capabilities;
}

const SKILLS = 'io.modelcontextprotocol/skills';

/** Requests of clients that a server with skills answers by itself (SEP-2640); the list is that of all servers. */
export const SKILL_METHODS: ReadonlySet<string> = new Set(['skills/get', 'resources/directory/read']);

/** Returns true if a server has skills (SEP-2640, "Capability Negotiation"). */
export function hasSkills({ extensions }: Capabilities): boolean {
  return asObject(extensions)[SKILLS] !== undefined;
}

/** Returns true if a server with skills lists directories. */
export function listsDirectories({ extensions }: Capabilities): boolean {
  return asObject(asObject(extensions)[SKILLS]).directoryRead === true;
}

/**
 * The capability declared to a server that may serve clients which have not connected yet: some can show apps
 * (SEP-1865, "Client Capabilities"). A server that asks for it offers its apps to all clients in `_meta`, and other
 * clients ignore them.
 */
export const APPS_EXTENSION: PassedCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** Returns the part of what a peer has declared that is passed on; tasks have rules of their own. */
export function passedCapabilities(declared: Capabilities): PassedCapabilities {
  const { extensions, experimental } = withoutTasks(declared);
  return { ...someOf('extensions', extensions), ...someOf('experimental', experimental) };
}

/**
 * Returns all capabilities that several peers declare. If two declare the same one with other settings, both settings
 * are included.
 */
export function unionOf(parts: readonly PassedCapabilities[]): PassedCapabilities {
  return parts.reduce((all, part) => merged(all, part) as PassedCapabilities, {});
}

function someOf(name: keyof PassedCapabilities, value: unknown): PassedCapabilities {
  return Object.keys(asObject(value)).length === 0 ? {} : { [name]: value };
}

/** Members of both objects, elements of both lists; of two other values `true`, or the first. */
function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) {
    const texts = new Set(a.map((one) => JSON.stringify(one)));
    return [...(a as unknown[]), ...b.filter((one) => !texts.has(JSON.stringify(one)))];
  }
  if (!isObject(a) || !isObject(b)) return b === true ? b : a;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  // Names come from peers: `__proto__` is a member like any other here.
  return Object.fromEntries(names.map((name) => [name, memberOf(a, b, name)]));
}

function memberOf(a: Capabilities, b: Capabilities, name: string): unknown {
  if (!Object.hasOwn(a, name)) return b[name];
  return Object.hasOwn(b, name) ? merged(a[name], b[name]) : a[name];
}
