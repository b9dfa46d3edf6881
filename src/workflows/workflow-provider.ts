import { z } from 'zod';
import type { Scope } from '../core/access/permissions.ts';
import { type ErrorCode, GatewayError, toGatewayError } from '../core/errors.ts';
import { ClientRoots } from '../core/folders/client-roots.ts';
import { exactJson, parseExactJson } from '../core/json/exact-json.ts';
import {
  type ClientDirectory,
  type Descriptor,
  EMPTY_LISTING,
  type EntryKind,
  type Listing,
  type Provider,
  type ProviderCall,
  type RunningCall,
} from '../core/providers/provider.ts';
import { Subscriptions } from '../core/providers/subscriptions.ts';
import type { Log } from '../telemetry/log.ts';
import { jsonBytes, toBuffer, toByteString } from '../wire/bytes.ts';
import { Frame } from '../wire/frame.ts';
import { JsonTextError } from '../wire/json-error.ts';
import { lastMember, membersOf, valueAt } from '../wire/lens.ts';
import { madeReply } from '../wire/reply.ts';
import type { Span } from '../wire/scanning/outline.ts';
import { contextOf } from './caller-context.ts';
import type {
  CallContext,
  PromptDefinition,
  ResourceEntry,
  ToolDefinition,
  Workflow,
  WorkflowHealth,
  WorkflowResources,
} from './define.ts';
import { describePrompt, describeResource, describeTemplate, describeTool } from './descriptors.ts';

/** As many suggestions as the protocol allows in one answer. */
const MAX_SUGGESTIONS = 100;
/** One object, so that a listing without resources stays the same. */
const NO_RESOURCES: readonly ResourceEntry[] = [];

type Suggest = WorkflowResources['suggest'];

export interface WorkflowProviderOptions {
  readonly name: string;
  readonly workflow: Workflow;
  readonly log: Log;
  readonly directory: ClientDirectory;
}

/** A workflow as a provider: what it offers is listed under its own names and runs here. */
export class WorkflowProvider implements Provider {
  readonly kind = 'workflow';
  readonly id: string;
  readonly prefix = '';
  /** Each tool checks its own arguments. */
  readonly validation = 'off';
  readonly #workflow: Workflow;
  readonly #log: Log;
  readonly #directory: ClientDirectory;
  readonly #subscriptions = new Subscriptions();
  /** The scope of each client that has subscribed to something; the config may change it meanwhile. */
  readonly #subscribers = new Map<string, Scope | undefined>();
  readonly #roots: ClientRoots;
  readonly #described = new Map<object, Descriptor>();
  #listed: { readonly tools: readonly ToolDefinition[]; readonly resources: readonly ResourceEntry[] } | undefined;
  #listing: Listing = EMPTY_LISTING;
  /** A call has failed for want of the database, and none has succeeded since. */
  #lacksDatabase = false;

  constructor({ name, workflow, log, directory }: WorkflowProviderOptions) {
    this.id = name;
    this.#workflow = workflow;
    this.#log = log;
    this.#roots = new ClientRoots((reason) => log.warn({ event: 'roots' }, reason));
    this.#directory = directory;
  }

  listing(): Listing {
    const tools = this.#workflow.tools();
    const resources = this.#workflow.resources?.list() ?? NO_RESOURCES;
    if (this.#listed === undefined || !sameItems(tools, this.#listed.tools) || resources !== this.#listed.resources) {
      this.#listing = this.#list(tools, resources);
      this.#listed = { tools, resources };
    }
    return this.#listing;
  }

  isKnown(): boolean {
    return true;
  }

  /** Returns how the workflow is as far as calls have told: nothing is tried for it. */
  health(): WorkflowHealth {
    return this.#lacksDatabase ? { ok: false, detail: 'The last call could not use the database' } : { ok: true };
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return kind === 'resource' && this.#workflow.resources?.owns(ownName) === true;
  }

  isResourceWithin(uri: string, scope: Scope): boolean {
    return this.#workflow.resources?.isWithin?.(uri, scope) !== false;
  }

  call(call: ProviderCall): RunningCall {
    const running = new AbortController();
    let isCancelled = false;
    const answer = (settle: () => void) => {
      if (!isCancelled) settle();
    };
    this.#run(call, running.signal).then(
      (result) => {
        this.#lacksDatabase = false;
        answer(() => call.caller.onReply(exactReply(result)));
      },
      (error: unknown) => {
        this.#lacksDatabase ||= error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE';
        answer(() => call.caller.onFailure(this.#failure(call, error)));
      },
    );
    return {
      cancel() {
        isCancelled = true;
        running.abort();
      },
    };
  }

  onRootsChanged(sessionId: string): void {
    this.#roots.forget(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    this.#roots.forget(sessionId);
    this.#subscriptions.removeSession(sessionId);
    this.#subscribers.delete(sessionId);
    this.#workflow.onSessionEnded?.(sessionId);
  }

  /** Tells those who have subscribed to a resource. */
  onResourceChanged(uri: string): void {
    const sessions = this.#subscriptions.spellingsOf(uri, uri);
    if (sessions.size === 0) return;
    const json = jsonBytes({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    const frame = Frame.of(toBuffer(json));
    const span = lastMember(membersOf(frame.text, lastMember(frame.outline.members, 'params')), 'uri')!;
    for (const [sessionId, spelling] of sessions) {
      const scope = this.#subscribers.get(sessionId);
      if (scope !== undefined && !this.isResourceWithin(uri, scope)) continue;
      this.#directory.get(sessionId)?.onResourceUpdated(spelling, frame, span);
    }
  }

  async #run(call: ProviderCall, signal: AbortSignal): Promise<object> {
    const context = contextOf(call, this.#roots, signal);
    const { ownName, text, caller } = call;
    switch (text.message.method) {
      case 'tools/call':
        return this.#callTool(call, context);
      case 'prompts/get':
        return this.#prompt(ownName).run(stringsIn(argumentsOf(call)), context);
      case 'resources/read':
        return this.#read(ownName, context);
      case 'resources/subscribe':
        this.#resourcesFor(ownName, context);
        this.#subscribers.set(caller.sessionId, caller.client.scope);
        this.#subscriptions.add(ownName, caller.sessionId, text.target);
        return {};
      case 'resources/unsubscribe':
        this.#subscriptions.remove(ownName, caller.sessionId);
        return {};
      case 'completion/complete':
        return this.#complete(call, context);
      default:
        throw new GatewayError('METHOD_NOT_FOUND', `Method not found: ${text.message.method}`);
    }
  }

  async #callTool(call: ProviderCall, context: CallContext): Promise<object> {
    const tool = this.#workflow.tools().find(({ name }) => name === call.ownName);
    if (tool === undefined) throw unknown('UNKNOWN_TOOL', 'tool', call.text.target);
    const given = argumentsOf(call, tool.hasExactNumbers === true ? parseExactJson : undefined);
    const structuredContent = await tool.run(checkedArguments(tool, given), context);
    const content = tool.content?.(structuredContent) ?? [{ type: 'text', text: exactJson(structuredContent, 2)! }];
    return { content, structuredContent };
  }

  async #read(uri: string, context: CallContext): Promise<object> {
    const resources = this.#resourcesFor(uri, context);
    const found = await resources.read(uri, context);
    const contents = typeof found === 'string' ? { mimeType: resources.template.mimeType, text: found } : found;
    return { contents: [{ uri, ...contents }] };
  }

  #resourcesFor(uri: string, { client }: CallContext): WorkflowResources {
    const { scope } = client;
    const { resources } = this.#workflow;
    const isTheirs = resources?.owns(uri) === true && resources.isFor?.(uri, client) !== false;
    const isWithin = scope === undefined || this.isResourceWithin(uri, scope);
    if (!isTheirs || !isWithin) throw unknown('UNKNOWN_RESOURCE', 'resource', uri);
    return resources;
  }

  async #complete(call: ProviderCall, { client }: CallContext): Promise<object> {
    const { name, value } = readGiven(call, lastMember(call.text.params, 'argument')) as {
      name?: unknown;
      value?: unknown;
    };
    if (typeof name !== 'string' || typeof value !== 'string')
      throw new GatewayError('INVALID_PARAMS', 'Invalid params: "argument" must have the strings "name" and "value"');
    const values = (await this.#suggest(call.ownName, name)?.(value, client)) ?? [];
    const shown = values.slice(0, MAX_SUGGESTIONS);
    return { completion: { values: shown, total: values.length, hasMore: shown.length < values.length } };
  }

  #suggest(ownName: string, argument: string): Suggest | undefined {
    const { prompts = [], resources } = this.#workflow;
    const prompt = prompts.find(({ name }) => name === ownName);
    if (prompt === undefined) return resources?.suggest.bind(resources);
    return prompt.arguments.find(({ name }) => name === argument)?.suggest;
  }

  #prompt(name: string): PromptDefinition {
    const prompt = this.#workflow.prompts?.find((candidate) => candidate.name === name);
    if (prompt === undefined) throw unknown('UNKNOWN_PROMPT', 'prompt', name);
    return prompt;
  }

  #failure({ text, ownName }: ProviderCall, error: unknown): GatewayError {
    if (!(error instanceof GatewayError)) {
      const { method } = text.message;
      this.#log.error({ error, method, target: ownName }, 'something of the gateway itself failed');
    }
    return toGatewayError(error);
  }

  #list(tools: readonly ToolDefinition[], resources: readonly ResourceEntry[]): Listing {
    const { prompts = [], resources: all } = this.#workflow;
    return {
      tool: tools.map((tool) => this.#describe(tool, describeTool)),
      prompt: prompts.map((prompt) => this.#describe(prompt, describePrompt)),
      resource: resources.map(describeResource),
      template: all === undefined ? [] : [this.#describe(all, describeTemplate)],
    };
  }

  #describe<T extends object>(part: T, describe: (part: T) => Descriptor): Descriptor {
    let descriptor = this.#described.get(part);
    if (descriptor === undefined) {
      descriptor = describe(part);
      this.#described.set(part, descriptor);
    }
    return descriptor;
  }
}

function unknown(code: ErrorCode, what: string, name: string): GatewayError {
  return new GatewayError(code, `Unknown ${what}: ${name}`);
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Whole numbers that a number cannot hold are bigints in results. */
const exactReply = (result: object) => madeReply('result', toByteString(exactJson(result)!));

function argumentsOf(call: ProviderCall, parse?: (text: string) => unknown): unknown {
  return readGiven(call, call.text.arguments, parse);
}

/** Returns the client's text in a span. Of long strings only the beginning was checked before. */
function readGiven({ text }: ProviderCall, span: Span | undefined, parse?: (text: string) => unknown): unknown {
  try {
    return span === undefined ? {} : valueAt(text.message.frame.text, span, parse);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new GatewayError('INVALID_PARAMS', `Invalid params: ${error.message}`, { effect: 'none', cause: error });
  }
}

function checkedArguments(tool: ToolDefinition, given: unknown): unknown {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  if (tool.refuse !== undefined) throw tool.refuse(parsed.error, given);
  throw new GatewayError('INVALID_ARGUMENTS', `${tool.name}: ${z.prettifyError(parsed.error)}`, { effect: 'none' });
}

function stringsIn(given: unknown): Readonly<Record<string, string>> {
  const isFlat = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isFlat || !Object.values(given).every((value) => typeof value === 'string'))
    throw new GatewayError('INVALID_PARAMS', 'Invalid params: "arguments" must be an object of strings');
  return given as Record<string, string>;
}
