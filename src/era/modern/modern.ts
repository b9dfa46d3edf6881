/** The protocol revision in which each request says all that its server must know (2026-07-28, "Versioning"). */
export const MODERN_REVISION = '2026-07-28';

/** Keys of `_meta` that the specification has reserved (2026-07-28, "General fields"). */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Errors that only this revision has; they describe one hop and mean nothing on another. */
export const MODERN_ERRORS = { headerMismatch: -32020, missingCapability: -32021, unsupportedVersion: -32022 } as const;

/** Results of these single things must say for how long they may be kept ("Caching"); so must lists. */
export const CACHEABLE: ReadonlySet<string> = new Set(['resources/read', 'skills/get']);

/** Methods that may be answered with a question to the client ("Multi Round-Trip Requests", "Supported Requests"). */
export const MAY_REQUIRE_INPUT: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
