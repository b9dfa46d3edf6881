import type { ToolDefinition } from './pin-store.ts';

const texts = new WeakMap<ToolDefinition, string>();

/** Returns the JSON of a definition, which is made once. Those of a long list are made while it is read, not all at once. */
export function definitionText(definition: ToolDefinition): string {
  let text = texts.get(definition);
  if (text === undefined) {
    text = JSON.stringify(definition);
    texts.set(definition, text);
  }
  return text;
}
