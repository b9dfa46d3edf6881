/** The outcome of a call that the gateway could not complete: `unknown` once it was written to the upstream. */
export type Effect = 'none' | 'unknown';

/** One word for clients that decide by machine (`_meta["viaduct/gateway"].reason`). */
export type FailureReason =
  | 'exited'
  | 'timeout'
  | 'refused'
  | 'invalid_answer'
  | 'too_large'
  | 'circuit_open'
  | 'not_connected'
  | 'cancelled'
  | 'overloaded'
  | 'session_needed'
  | 'capability_missing'
  | 'input_refused'
  | 'pinned'
  | 'needs_auth'
  | 'store_unavailable'
  | 'outside_workspace'
  | 'outside_projects'
  | 'not_found'
  | 'knowledge_failed'
  | 'path_protected'
  | 'file_failed'
  | 'process_failed'
  | 'command_denied'
  | 'browser_failed'
  | 'address_denied'
  | 'model_failed'
  | 'agent_failed'
  | 'ide_offline'
  | 'ide_failed';

interface CodeFacts {
  /** JSON-RPC error code, where the failure is answered as a JSON-RPC error. */
  readonly jsonRpc: number;
  /** Present where a model can act on it, as where the upstream is at fault: `tools/call` is then answered with a result. */
  readonly reason?: FailureReason;
  readonly retryable: boolean;
  readonly meaning: string;
}

/** The codes of the gateway's errors; docs/ERRORS.md is generated from this table. */
export const ERROR_CODES = {
  UPSTREAM_EXITED: {
    jsonRpc: -32603,
    reason: 'exited',
    retryable: true,
    meaning:
      "The upstream's process ended, or its connection was lost, during the call. If no upstream is named, the gateway itself ended.",
  },
  UPSTREAM_TIMEOUT: {
    jsonRpc: -32603,
    reason: 'timeout',
    retryable: true,
    meaning: 'The upstream did not answer in time. It was told that the call is cancelled.',
  },
  UPSTREAM_REFUSED: {
    jsonRpc: -32603,
    reason: 'refused',
    retryable: false,
    meaning: 'The upstream answered with an HTTP error and no JSON-RPC message; it may ask for authorization.',
  },
  UPSTREAM_NEEDS_AUTH: {
    jsonRpc: -32603,
    reason: 'needs_auth',
    retryable: false,
    meaning:
      'The upstream wants authorization that only its user can give. The message names the command: `viaduct auth login UPSTREAM`.',
  },
  UPSTREAM_INVALID_ANSWER: {
    jsonRpc: -32603,
    reason: 'invalid_answer',
    retryable: false,
    meaning: 'The answer of the upstream is not a JSON-RPC response.',
  },
  ANSWER_TOO_LARGE: {
    jsonRpc: -32603,
    reason: 'too_large',
    retryable: false,
    meaning: 'The answer was larger than `limits.frameBytes`.',
  },
  UPSTREAM_CRASH_LOOP: {
    jsonRpc: -32603,
    reason: 'circuit_open',
    retryable: false,
    meaning: 'The upstream exited too often; it is not started again until it is synced by hand or its entry changes.',
  },
  UPSTREAM_NOT_CONNECTED: {
    jsonRpc: -32603,
    reason: 'not_connected',
    retryable: true,
    meaning: 'There is no connection to the upstream.',
  },
  CALL_CANCELLED: {
    jsonRpc: -32603,
    reason: 'cancelled',
    retryable: true,
    meaning: 'The call ended because the gateway, or the entry of the upstream, went away.',
  },
  OVERLOADED: {
    jsonRpc: -32603,
    reason: 'overloaded',
    retryable: true,
    meaning:
      'Too many calls or bytes wait for this upstream, or too many calls are open: see `limits` in the config. Or the client has too many subscriptions.',
  },
  TOOL_PINNED: {
    jsonRpc: -32603,
    reason: 'pinned',
    retryable: false,
    meaning:
      'The tool is new or has changed since it was approved, and its upstream has `pins: enforce`. `viaduct pins diff` shows what changed, `viaduct pins accept` approves it.',
  },
  STORE_UNAVAILABLE: {
    jsonRpc: -32603,
    reason: 'store_unavailable',
    retryable: false,
    meaning:
      'The database of the built-in workflows cannot be opened, read or written: its disk is full, its file read-only or damaged, its server not reached. The message says which; everything else goes on.',
  },
  STORE_BUSY: {
    jsonRpc: -32603,
    reason: 'store_unavailable',
    retryable: true,
    meaning: 'Another process held the database of the built-in workflows for too long.',
  },
  OUTSIDE_WORKSPACE: {
    jsonRpc: -32602,
    reason: 'outside_workspace',
    retryable: false,
    meaning:
      'A path leads out of the workspace, or is none that could be in it; or the client has no workspace. Nothing was done.',
  },
  OUTSIDE_PROJECTS: {
    jsonRpc: -32602,
    reason: 'outside_projects',
    retryable: false,
    meaning:
      "The `projects` of the client's token or profile do not include this project, whether it exists or not. Nothing was done.",
  },
  TASK_NOT_FOUND: {
    jsonRpc: -32602,
    reason: 'not_found',
    retryable: false,
    meaning: 'No task of a project that this client may use has this id (workflow `tasks`).',
  },
  JOB_NOT_FOUND: {
    jsonRpc: -32602,
    reason: 'not_found',
    retryable: false,
    meaning: 'No indexing job of a folder that this client may use has this id (workflow `codebase`).',
  },
  PATH_PROTECTED: {
    jsonRpc: -32602,
    reason: 'path_protected',
    retryable: false,
    meaning:
      'The path is in the workspace, but tools leave it alone: the config, the folder of the gateway, or a file that makes other programs run commands. The message says which, and what to do. Nothing was done.',
  },
  FILE_FAILED: {
    jsonRpc: -32603,
    reason: 'file_failed',
    retryable: false,
    meaning:
      'A file or folder of the workspace does not exist, is of another kind than expected, or cannot be read or changed. The message says which and why.',
  },
  PROCESS_FAILED: {
    jsonRpc: -32603,
    reason: 'process_failed',
    retryable: false,
    meaning:
      'A process cannot be started, or does not take input, or the client has none with this id. The message says which and why.',
  },
  COMMAND_DENIED: {
    jsonRpc: -32602,
    reason: 'command_denied',
    retryable: false,
    meaning:
      'The config does not allow this command (`workflows.process.allow` and `deny`), or a variable of its environment (`allowEnv`). Nothing was started.',
  },
  BROWSER_FAILED: {
    jsonRpc: -32603,
    reason: 'browser_failed',
    retryable: false,
    meaning:
      'The client has no browser, its page or browser is gone, or the page cannot do what was asked: an element does not exist, or an address does not answer. The message says which, and what to do.',
  },
  ADDRESS_DENIED: {
    jsonRpc: -32602,
    reason: 'address_denied',
    retryable: false,
    meaning:
      'The browser may not open this address: it is one of the gateway itself, of a private network that the config does not list (`workflows.webview.allowHosts`), or no http address. The message says which.',
  },
  MODEL_FAILED: {
    jsonRpc: -32603,
    reason: 'model_failed',
    retryable: false,
    meaning:
      'A language model gave no usable answer: its backend cannot be reached, refuses the key or the model, is overloaded, or broke off. The message says which backend, and what to do.',
  },
  AGENT_FAILED: {
    jsonRpc: -32603,
    reason: 'agent_failed',
    retryable: false,
    meaning:
      'The external agent that answers a chat could not be started, ran too long, wrote too much, cost too much, or failed. The message says which, and what it wrote last.',
  },
  IDE_OFFLINE: {
    jsonRpc: -32603,
    reason: 'ide_offline',
    retryable: true,
    meaning:
      'The IDE backend that the config names (`workflows.ide.url`) is not connected, so nothing was sent to it. The gateway goes on trying to connect.',
  },
  IDE_FAILED: {
    jsonRpc: -32603,
    reason: 'ide_failed',
    retryable: false,
    meaning:
      'The IDE backend refused the request of a tool, or its answer does not have the shape that docs/IDE.md describes. The message says which.',
  },
  IDE_SESSION_NOT_FOUND: {
    jsonRpc: -32602,
    reason: 'not_found',
    retryable: false,
    meaning:
      "No chat session of the client's project has this id. `ide_session_list` lists the sessions that there are.",
  },
  BUILD_NOT_FOUND: {
    jsonRpc: -32602,
    reason: 'not_found',
    retryable: false,
    meaning: "No build of the client's project has this id. `ide_build_list` lists the existing builds.",
  },
  KNOWLEDGE_FAILED: {
    jsonRpc: -32603,
    reason: 'knowledge_failed',
    retryable: false,
    meaning:
      'A collection of documents does not exist, its documents cannot be read, or a service that is configured for it (Ollama, Qdrant) is down or refuses. The message says which, and what to do.',
  },
  UNKNOWN_TOOL: { jsonRpc: -32602, retryable: false, meaning: 'No tool has this name.' },
  UNKNOWN_PROMPT: { jsonRpc: -32602, retryable: false, meaning: 'No prompt has this name.' },
  UNKNOWN_RESOURCE: { jsonRpc: -32002, retryable: false, meaning: 'No upstream knows this resource.' },
  UNKNOWN_TASK: { jsonRpc: -32602, retryable: false, meaning: 'No upstream that this client can reach has this task.' },
  INVALID_ARGUMENTS: {
    jsonRpc: -32602,
    retryable: false,
    meaning: "The arguments do not fit the tool's input schema. The call was not sent.",
  },
  INVALID_PARAMS: {
    jsonRpc: -32602,
    retryable: false,
    meaning: 'The params of the request lack something or are of the wrong type.',
  },
  SESSION_NEEDED: {
    jsonRpc: -32600,
    reason: 'session_needed',
    retryable: false,
    meaning:
      'The request came without a session, and the upstream gives each client a process or session of its own. Send `initialize` first and repeat the `Mcp-Session-Id`. Nothing was sent.',
  },
  INVALID_REQUEST: { jsonRpc: -32600, retryable: false, meaning: 'The message is not a valid JSON-RPC request.' },
  PARSE_ERROR: { jsonRpc: -32700, retryable: false, meaning: 'The message is not JSON.' },
  METHOD_NOT_FOUND: { jsonRpc: -32601, retryable: false, meaning: 'The gateway has no such method.' },
  INPUT_REFUSED: {
    jsonRpc: -32603,
    reason: 'input_refused',
    retryable: false,
    meaning: 'The upstream needed an answer from the client to continue, and the client answered with an error.',
  },
  CAPABILITY_MISSING: {
    jsonRpc: -32601,
    reason: 'capability_missing',
    retryable: false,
    meaning: 'The client did not declare the capability that the upstream asks for, or no client can be asked.',
  },
  INTERNAL: { jsonRpc: -32603, retryable: false, meaning: 'A fault of the gateway itself; its log has the stack.' },
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface GatewayErrorDetail {
  /** Key of the upstream concerned. */
  readonly upstream?: string;
  readonly effect?: Effect;
  readonly retryAfterMs?: number;
  /** Status of an HTTP response that was no answer. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** A failure of the gateway or of its connection to an upstream. Decide by `code`, never by the message. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly detail: GatewayErrorDetail;

  constructor(code: ErrorCode, message: string, detail: GatewayErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.detail = detail;
  }

  get facts(): CodeFacts {
    return ERROR_CODES[this.code];
  }
}

/** Returns anything that was thrown as a `GatewayError`; if it is not one already, it is a fault of ours. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('INTERNAL', 'Internal error of the gateway; its log has the details', { cause: thrown });
}
