import { canonicalJson, fingerprint } from '../../../core/json/canonical.ts';
import type { Pin, PinBook, PinnedDefinition, ToolDefinition } from '../../../core/stores/pin-store.ts';

/** The members that a model or client relies on when it uses a tool. */
const PINNED_MEMBERS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** A tool as it is offered now. */
export interface PresentTool {
  readonly name: string;
  readonly hash: string;
  readonly definition: ToolDefinition;
}

/** @throws SyntaxError when `json` is none. */
export function presentTool(name: string, json: string): PresentTool {
  const definition = definitionIn(json);
  return { name, hash: fingerprint(definition), definition };
}

/** Returns a tool whose hash is known. `json` is called if its definition is asked for. */
export function hashedTool(name: string, hash: string, json: () => string): PresentTool {
  let definition: ToolDefinition | undefined;
  return {
    name,
    hash,
    get definition() {
      definition ??= definitionIn(json());
      return definition;
    },
  };
}

function definitionIn(json: string): ToolDefinition {
  const value = JSON.parse(json) as Record<string, unknown>;
  const members = PINNED_MEMBERS.filter((member) => Object.hasOwn(value, member));
  return Object.fromEntries(members.map((member) => [member, value[member]]));
}

export interface Judgement {
  readonly changed: readonly PresentTool[];
  readonly added: readonly PresentTool[];
}

/** Finds the tools that differ from their approved version. A tool under another name is another tool. */
export function judge(pins: PinBook, tools: readonly PresentTool[]): Judgement {
  const approved = (tool: PresentTool) => pins.get(tool.name)?.approved;
  return {
    changed: tools.filter((tool) => approved(tool) !== undefined && approved(tool)!.hash !== tool.hash),
    added: tools.filter((tool) => approved(tool) === undefined),
  };
}

/** Members in which two definitions differ. */
export function differingMembers(before: ToolDefinition, after: ToolDefinition): string[] {
  return PINNED_MEMBERS.filter((member) => canonicalJson(before[member]) !== canonicalJson(after[member]));
}

/** Returns the pins with all current tools approved. */
export function approveAll(tools: readonly PresentTool[], since: string): PinBook {
  return new Map(tools.map(({ name, hash, definition }) => [name, { approved: { hash, definition, since } }]));
}

export interface Notes {
  readonly pins: PinBook;
  /** The tools that were not noted in this form before. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * Returns the pins with what differs now noted as pending. Pending notes of tools that are gone or as they were go; what was
 * approved stays. The same object when there is nothing to note.
 */
export function note(pins: PinBook, { changed, added }: Judgement, isWithheld: boolean, since: string): Notes {
  if (changed.length + added.length === 0 && !hasPending(pins)) return { pins, fresh: new Set() };
  const different = new Map([...changed, ...added].map((tool) => [tool.name, tool]));
  const next = new Map<string, Pin>();
  const fresh = new Set<string>();
  let isSame = true;
  for (const name of new Set([...pins.keys(), ...different.keys()])) {
    const pin = pins.get(name) ?? {};
    const { approved, pending } = pin;
    const tool = different.get(name);
    const isKnown = pending?.hash === tool?.hash;
    if (tool !== undefined && !isKnown) fresh.add(name);
    if (isKnown && (pending === undefined || pending.isWithheld === isWithheld)) {
      if (approved !== undefined || pending !== undefined) next.set(name, pin);
      continue;
    }
    isSame = false;
    const noted = tool && { pending: { ...asPinned(tool, isKnown ? pending!.since : since), isWithheld } };
    if (approved !== undefined || noted !== undefined) next.set(name, { ...(approved && { approved }), ...noted });
  }
  return { pins: isSame ? pins : next, fresh };
}

function hasPending(pins: PinBook): boolean {
  for (const { pending } of pins.values()) if (pending !== undefined) return true;
  return false;
}

function asPinned({ hash, definition }: PresentTool, since: string): PinnedDefinition {
  return { hash, definition, since };
}

/** Returns the pins with what is pending approved, where `isChosen` says so. */
export function accept(pins: PinBook, isChosen: (name: string) => boolean, since: string): PinBook {
  return new Map(
    [...pins].map(([name, pin]): [string, Pin] => {
      if (pin.pending === undefined || !isChosen(name)) return [name, pin];
      const { hash, definition } = pin.pending;
      return [name, { approved: { hash, definition, since } }];
    }),
  );
}
