import { asObject } from '../core/json/as-object.ts';
import type { Era } from '../core/providers/provider.ts';
import { type ByteString, parsedBytes } from '../wire/bytes.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { lastMember } from '../wire/lens.ts';
import type { ErrorBody } from '../wire/reply.ts';
import { MODERN_ERRORS } from './modern/modern.ts';

/** The name under which modern peers say that they know tasks (extension "Tasks", 2026-07-28, "Extension Identifier"). */
const EXTENSION = 'io.modelcontextprotocol/tasks';

type Capabilities = Readonly<Record<string, unknown>>;

/** The capability that a peer declares if it supports the extension. */
export const TASKS_EXTENSION = { extensions: { [EXTENSION]: {} } } as const;

/** The capability for tasks that legacy clients are told about (2025-11-25, "Tasks", "Server Capabilities"). */
export const LEGACY_TASKS = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } as const;

/** Requests of modern clients about a task. */
export const MODERN_TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** Requests of legacy clients about a task, except the list, which no single server can answer. */
export const LEGACY_TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/cancel']);

/** Returns true if a request is about one task, in either era. */
export function isAboutTask(method: string): boolean {
  return MODERN_TASK_METHODS.has(method) || LEGACY_TASK_METHODS.has(method);
}

/** Returns true if a server runs tasks in the way of its era. */
export function hasTasks(era: Era, capabilities: Capabilities): boolean {
  if (era === 'legacy') return capabilities.tasks !== undefined;
  return asObject(capabilities.extensions)[EXTENSION] !== undefined;
}

/** Returns true if a legacy server supports an optional method for tasks. */
export function canDo(what: 'list' | 'cancel', capabilities: Capabilities): boolean {
  return asObject(capabilities.tasks)[what] !== undefined;
}

/** Returns true if a modern client declares the extension in this request; `capabilities` is the JSON that it wrote. */
export function declaresTasks(capabilities: ByteString): boolean {
  // Most do not, and few write it with escapes: the text is read only where it may say so.
  if (!capabilities.includes('extensions')) return false;
  return hasTasks('modern', asObject(parsedBytes(capabilities)));
}

/** The error for a modern client that asks about tasks without declaring the extension ("Protocol Errors"). */
export const UNDECLARED: ErrorBody = {
  code: MODERN_ERRORS.missingCapability,
  message: `This needs the client capability extensions["${EXTENSION}"]`,
  data: { requiredCapabilities: TASKS_EXTENSION },
};

/** Returns a legacy client's capabilities without those for tasks: a server that it reaches may be of the other era. */
export function withoutTasks(capabilities: Capabilities): Capabilities {
  const { tasks: _tasks, ...rest } = capabilities;
  const { [EXTENSION]: _extension, ...extensions } = asObject(capabilities.extensions);
  return 'extensions' in rest ? { ...rest, extensions } : rest;
}

/** Returns true if a legacy client wants its call to run as a task ("Creating Tasks"). */
export function wantsTask({ message, params }: CallText): boolean {
  return message.method === 'tools/call' && lastMember(params, 'task') !== undefined;
}
