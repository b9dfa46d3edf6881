import { z } from 'zod';
import { fingerprint } from '../core/canonical.ts';
import { GatewayError, toGatewayError } from '../core/errors.ts';
import {
  type Descriptor,
  EMPTY_LISTING,
  type Listing,
  NOTHING_TO_CANCEL,
  type Provider,
  type ProviderCall,
  type RunningCall,
} from '../core/provider.ts';
import type { Log } from '../telemetry/log.ts';
import { jsonBytes } from '../wire/bytes.ts';
import { lastMember, membersOf, valueAt } from '../wire/lens.ts';
import { resultReply } from '../wire/reply.ts';
import type { ToolDefinition, Workflow } from './define.ts';

/** A workflow as a provider: its tools are listed under their own names and run here. */
export class WorkflowProvider implements Provider {
  readonly kind = 'workflow';
  readonly id: string;
  readonly prefix = '';
  /** Each tool checks its own arguments. */
  readonly validation = 'off';
  readonly #workflow: Workflow;
  readonly #log: Log;
  readonly #descriptors = new Map<ToolDefinition, Descriptor>();
  #listed: { readonly tools: readonly ToolDefinition[]; readonly listing: Listing } = {
    tools: [],
    listing: EMPTY_LISTING,
  };

  constructor(name: string, workflow: Workflow, log: Log) {
    this.id = name;
    this.#workflow = workflow;
    this.#log = log;
  }

  listing(): Listing {
    const tools = this.#workflow.tools();
    if (!sameItems(tools, this.#listed.tools)) {
      this.#listed = { tools, listing: { ...EMPTY_LISTING, tool: tools.map((tool) => this.#describe(tool)) } };
    }
    return this.#listed.listing;
  }

  isKnown(): boolean {
    return true;
  }

  acceptsUnlisted(): boolean {
    return false;
  }

  call(call: ProviderCall): RunningCall {
    const tool = this.#workflow.tools().find((candidate) => candidate.name === call.ownName);
    if (tool === undefined)
      call.caller.onFailure(new GatewayError('UNKNOWN_TOOL', `Unknown tool: ${call.text.target}`));
    else void this.#run(tool, call);
    return NOTHING_TO_CANCEL;
  }

  async #run(tool: ToolDefinition, call: ProviderCall): Promise<void> {
    try {
      const structuredContent = await tool.run(argumentsFor(tool, call));
      call.caller.onReply(
        resultReply({
          content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }],
          structuredContent,
        }),
      );
    } catch (error) {
      if (!(error instanceof GatewayError)) this.#log.error({ error, tool: tool.name }, 'a tool of the gateway failed');
      call.caller.onFailure(toGatewayError(error));
    }
  }

  #describe(tool: ToolDefinition): Descriptor {
    let descriptor = this.#descriptors.get(tool);
    if (descriptor === undefined) {
      descriptor = describe(tool);
      this.#descriptors.set(tool, descriptor);
    }
    return descriptor;
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function argumentsFor(tool: ToolDefinition, { text }: ProviderCall): unknown {
  const given = text.arguments === undefined ? {} : valueAt(text.message.frame.text, text.arguments);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new GatewayError('INVALID_ARGUMENTS', `${tool.name}: ${z.prettifyError(parsed.error)}`, { effect: 'none' });
}

function describe(tool: ToolDefinition): Descriptor {
  const value = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.input, 'input'),
    outputSchema: schemaOf(tool.output, 'output'),
    annotations: tool.annotations,
  };
  const text = jsonBytes(value);
  const name = lastMember(membersOf(Buffer.from(text, 'latin1')), 'name')!;
  return {
    kind: 'tool',
    ownName: tool.name,
    text,
    nameSpan: { start: name.start, end: name.end },
    fingerprint: fingerprint(value),
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}
