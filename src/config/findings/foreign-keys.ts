import type { ConfigPath, Finding } from './finding.ts';

type Words = Pick<Finding, 'message' | 'hint'>;

const PASTE: Words = {
  message: 'this key is called "upstreams" here',
  hint: 'rename it to upstreams; its entries can be pasted as they are',
};
const UNUSED: Words = { message: 'unknown key', hint: 'not used by Viaduct: remove it' };
const instead = (hint: string): Words => ({ message: 'unknown key', hint });

/** What the configs of agents and other gateways call what we call `upstreams`. */
const ROOT_KEYS: ReadonlyMap<string, Words> = new Map([
  ['mcpServers', PASTE],
  ['mcp_servers', PASTE],
  ['mcp-servers', PASTE],
  ['servers', PASTE],
  ['context_servers', PASTE],
]);

/** What their entries have, and ours do not. */
const ENTRY_KEYS: ReadonlyMap<string, Words> = new Map([
  ...['autoApprove', 'alwaysAllow', 'description', 'name', 'icon', 'trust', 'gallery'].map(
    (key) => [key, UNUSED] as const,
  ),
  ['timeout', instead('the times are under timeouts: { connectMs, listMs, listPauseMs, callMs, totalMs }')],
  ['startup_timeout_sec', instead('use timeouts: { connectMs: … }, in milliseconds')],
  ['tool_timeout_sec', instead('use timeouts: { callMs: … }, in milliseconds')],
  ['enabled', instead('use disabled: true or disabled: false')],
  ['serverUrl', instead('it is called url here')],
  ['httpUrl', instead('it is called url here')],
  ['envFile', instead('put the variables under env')],
  ['environment', instead('it is called env here')],
  ['workingDirectory', instead('it is called cwd here')],
  ['enabled_tools', instead('use tools: { allow: [...] }')],
  ['disabled_tools', instead('use tools: { deny: [...] }')],
  ['includeTools', instead('use tools: { allow: [...] }')],
  ['excludeTools', instead('use tools: { deny: [...] }')],
  ['disabledTools', instead('use tools: { deny: [...] }')],
]);

/** What to say of a key that is unknown here but means something elsewhere. */
export function foreignKey(path: ConfigPath): Words | undefined {
  const key = String(path.at(-1));
  if (path.length === 1) return ROOT_KEYS.get(key);
  if (path.length === 2 && path[0] === 'defaults') return ENTRY_KEYS.get(key);
  return path.length === 3 && path[0] === 'upstreams' ? ENTRY_KEYS.get(key) : undefined;
}
