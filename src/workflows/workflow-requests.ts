import { z } from 'zod';
import type { Scope } from '../core/access/permissions.ts';
import { type ErrorCode, GatewayError } from '../core/errors.ts';
import type { ClientRoots } from '../core/folders/client-roots.ts';
import { exactJson, parseExactJson } from '../core/json/exact-json.ts';
import { jsonSteps } from '../core/json/json-steps.ts';
import type { ProviderCall } from '../core/providers/provider.ts';
import { inSlices } from '../core/timing/steps.ts';
import { JsonTextError } from '../wire/json-error.ts';
import { lastMember, valueAt } from '../wire/lens.ts';
import type { Span } from '../wire/scanning/outline.ts';
import { contextOf } from './caller-context.ts';
import type { CallContext, PromptDefinition, ToolDefinition, Workflow, WorkflowResources } from './define.ts';
import type { ResourceSubscribers } from './resource-subscribers.ts';

/** The number of suggestions that the protocol allows in one response. */
const MAX_SUGGESTIONS = 100;

type Suggest = WorkflowResources['suggest'];
type Served = Pick<Workflow, 'tools' | 'prompts' | 'resources'>;

/** Answers the requests of clients with the parts of a workflow. */
export class WorkflowRequests {
  readonly #workflow: Served;
  readonly #subscribers: ResourceSubscribers;
  readonly #roots: ClientRoots;

  constructor(workflow: Served, subscribers: ResourceSubscribers, roots: ClientRoots) {
    this.#workflow = workflow;
    this.#subscribers = subscribers;
    this.#roots = roots;
  }

  /**
   * Resolves to the result of a request as JSON text. Whole numbers that a number cannot hold are bigints in results.
   * @throws GatewayError for what the workflow does not have or take; also what the workflow throws.
   */
  async run(call: ProviderCall, signal: AbortSignal): Promise<string> {
    if (call.text.message.method === 'tools/call') return this.#callTool(call, contextOf(call, this.#roots, signal));
    return exactJson(await this.#answer(call, signal))!;
  }

  async #answer(call: ProviderCall, signal: AbortSignal): Promise<object> {
    const { ownName, text, caller } = call;
    const context = contextOf(call, this.#roots, signal);
    switch (text.message.method) {
      case 'prompts/get':
        return this.#prompt(ownName).run(stringsIn(argumentsOf(call)), context);
      case 'resources/read':
        return this.#read(ownName, context);
      case 'resources/subscribe':
        this.#resourcesFor(ownName, context);
        this.#subscribers.add(ownName, caller, text.target);
        return {};
      case 'resources/unsubscribe':
        this.#subscribers.remove(ownName, caller.sessionId);
        return {};
      case 'completion/complete':
        return this.#complete(call, context);
      default:
        throw new GatewayError('METHOD_NOT_FOUND', `Method not found: ${text.message.method}`);
    }
  }

  async #callTool(call: ProviderCall, context: CallContext): Promise<string> {
    const tool = this.#workflow.tools().find(({ name }) => name === call.ownName);
    if (tool === undefined) throw unknown('UNKNOWN_TOOL', 'tool', call.text.target);
    const given = argumentsOf(call, tool.hasExactNumbers === true ? parseExactJson : undefined);
    const structured = await tool.run(checkedArguments(tool, given), context);
    const content = tool.content?.(structured) ?? [{ type: 'text', text: (await inSlices(jsonSteps(structured, 2)))! }];
    return `{"content":${exactJson(content)},"structuredContent":${await inSlices(jsonSteps(structured))}}`;
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
    const isWithin = scope === undefined || isResourceWithin(this.#workflow, uri, scope);
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
}

/** Tells whether a scope allows a resource of a workflow. */
export function isResourceWithin({ resources }: Pick<Workflow, 'resources'>, uri: string, scope: Scope): boolean {
  return resources?.isWithin?.(uri, scope) !== false;
}

function unknown(code: ErrorCode, what: string, name: string): GatewayError {
  return new GatewayError(code, `Unknown ${what}: ${name}`);
}

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
