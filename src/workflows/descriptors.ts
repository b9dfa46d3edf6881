import { z } from 'zod';
import { fingerprint } from '../core/json/canonical.ts';
import type { Descriptor, EntryKind } from '../core/providers/provider.ts';
import { jsonBytes, toBuffer } from '../wire/bytes.ts';
import { lastMember, membersOf } from '../wire/lens.ts';
import type { PromptDefinition, ResourceEntry, ToolDefinition, WorkflowResources } from './define.ts';

const NAMED_BY: Readonly<Record<EntryKind, string>> = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  template: 'uriTemplate',
};

export function describeTool(tool: ToolDefinition): Descriptor {
  const described = descriptor('tool', tool.name, {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.input, 'input'),
    outputSchema: schemaOf(tool.output, 'output'),
    annotations: tool.annotations,
  });
  const { audit, hasSecretArguments = false } = tool;
  return { ...described, audit, ...(hasSecretArguments && { hasSecretArguments }) };
}

export function describePrompt(prompt: PromptDefinition): Descriptor {
  const { name, title, description } = prompt;
  const args = prompt.arguments.map(({ suggest: _suggest, ...told }) => told);
  return descriptor('prompt', name, { name, title, description, arguments: args });
}

export function describeResource(entry: ResourceEntry): Descriptor {
  return descriptor('resource', entry.uri, entry);
}

export function describeTemplate({ template }: WorkflowResources): Descriptor {
  return descriptor('template', template.uriTemplate, template);
}

function descriptor(kind: EntryKind, ownName: string, value: object): Descriptor {
  const text = jsonBytes(value);
  const { start, end } = lastMember(membersOf(toBuffer(text)), NAMED_BY[kind])!;
  return { kind, ownName, text, nameSpan: { start, end }, fingerprint: fingerprint(value) };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: freeIntegers,
  });
  return rest;
}

/** Drops the bounds that Zod gives integers (those of JavaScript), which no client needs. */
function freeIntegers({ jsonSchema }: { readonly jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
