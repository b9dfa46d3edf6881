import { type JsonNode, plainValue } from '../../../../agents/files/json-document.ts';
import { appendItem, isEmptyDocument, removeItems } from '../../../../agents/files/json-edit.ts';

/** What Claude Code runs by itself, and when: a session begins, an answer is complete, the conversation is compacted. */
const HOOKS = [
  { event: 'SessionStart', does: 'load' },
  { event: 'Stop', does: 'save' },
  { event: 'PreCompact', does: 'save' },
] as const;

/** Seconds after which Claude Code goes on without us. */
const TIMEOUT_S = 30;
/** In the last line of a command. */
const OUR_COMMAND = /\bcheckpoint hook (?:load|save)(?:$| --config \S)/;

/** The settings with our hooks in them; `command` is how a shell starts the hook command of this program. */
export function addHooks(text: string | undefined, command: (does: 'load' | 'save') => string): string {
  const settings = text === undefined || text.trim() === '' ? '{}\n' : withoutHooks(text);
  return HOOKS.reduce(
    (result, { event, does }) =>
      appendItem(result, ['hooks', event], {
        hooks: [{ type: 'command', command: command(does), timeout: TIMEOUT_S }],
      }),
    settings,
  );
}

/** The settings without our hooks; `undefined` where nothing else was in them. */
export function removeHooks(text: string): string | undefined {
  const rest = withoutHooks(text);
  return rest !== text && isEmptyDocument(rest) ? undefined : rest;
}

function withoutHooks(text: string): string {
  return HOOKS.reduce((result, { event }) => removeItems(result, ['hooks', event], isOurs), text);
}

/** A group of hooks that has ours in it and no other. */
function isOurs(item: JsonNode): boolean {
  const { hooks } = (plainValue(item) ?? {}) as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  const { command } = (hooks[0] ?? {}) as { readonly command?: unknown };
  return typeof command === 'string' && OUR_COMMAND.test(command.split('\n').at(-1)!);
}
