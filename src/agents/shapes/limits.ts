import type { AgentEntry } from './entry-schema.ts';

/** Names of tools; `undefined` if the agent names none. */
export interface ToolFilter {
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
}

export interface Times {
  readonly connectMs: number | undefined;
  readonly callMs: number | undefined;
}

/** Keys without meaning here, each with the keys that lead to it. */
type Unused = readonly (readonly string[])[];

/** Reads which tools the agent shows. If several lists say what it hides, all of them count. */
export function filterOf(entry: AgentEntry): { readonly filter: ToolFilter; readonly unused: Unused } {
  const { tools, enabled_tools, includeTools, disabled_tools, disabledTools, excludeTools } = entry;
  const named = Array.isArray(tools) && tools.every((name) => typeof name === 'string') ? tools : undefined;
  const denied = [disabled_tools, disabledTools, excludeTools].filter((names) => names !== undefined);
  return {
    filter: {
      allow: enabled_tools ?? includeTools ?? named,
      deny: denied.length === 0 ? undefined : [...new Set(denied.flat())],
    },
    unused: tools !== undefined && named === undefined ? [['tools']] : [],
  };
}

/** Reads how long the agent waits. A bare `timeout` means another time, in another unit, for each agent: it is not used. */
export function timesOf(entry: AgentEntry): { readonly times: Times; readonly unused: Unused } {
  const { timeout, startup_timeout_sec, startup_timeout_ms, tool_timeout_sec } = entry;
  const { startup, request, ...others } = (typeof timeout === 'object' ? timeout : {}) as Record<string, unknown>;
  const [connectMs, callMs] = [milliseconds(startup), milliseconds(request)];
  const whole = timeout === undefined ? [] : [['timeout']];
  const isUsed = (connectMs ?? callMs) !== undefined;
  return {
    times: {
      connectMs: inMilliseconds(startup_timeout_sec) ?? startup_timeout_ms ?? connectMs,
      callMs: inMilliseconds(tool_timeout_sec) ?? callMs,
    },
    unused: isUsed ? Object.keys(others).map((key) => ['timeout', key]) : whole,
  };
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function inMilliseconds(inSeconds: number | undefined): number | undefined {
  return inSeconds === undefined ? undefined : Math.round(inSeconds * 1000);
}
