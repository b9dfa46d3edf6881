import { childAt, type JsonNode, plainValue, readJsonDocument } from '../../../../agents/files/json-document.ts';
import { appendItem, emptyDocument, isEmptyDocument, removeItems } from '../../../../agents/files/json-edit.ts';

/** Hooks by event of Claude Code: a session begins, an answer is complete, the conversation is compacted. */
const HOOKS = [
  { event: 'SessionStart', does: 'load' },
  { event: 'Stop', does: 'save' },
  { event: 'PreCompact', does: 'save' },
] as const;

/** Seconds after which Claude Code continues without us. */
const TIMEOUT_S = 30;
/** The last line of a command that starts Viaduct by its name or its file. */
const OUR_COMMAND = /(?:^|[\\/\s'"])(?:viaduct|main(?:\.[jt]s)?)['"]? checkpoint hook (?:load|save)(?:$| --config \S)/;

/**
 * Returns the settings with our hooks in them.
 * @param command how a shell starts the hook command of this program
 * @throws FileEditError if the settings are not JSON, or something else would change
 */
export function addHooks(text: string | undefined, command: (does: 'load' | 'save') => string): string {
  const settings = text === undefined || text.trim() === '' ? emptyDocument(text) : withoutHooks(text);
  return HOOKS.reduce(
    (result, { event, does }) =>
      appendItem(result, ['hooks', event], {
        hooks: [{ type: 'command', command: command(does), timeout: TIMEOUT_S }],
      }),
    settings,
  );
}

/**
 * Returns the settings without our hooks; `undefined` if nothing else is in them.
 * @throws FileEditError if the settings are not JSON, or something else would change
 */
export function removeHooks(text: string): string | undefined {
  const rest = withoutHooks(text);
  return rest !== text && isEmptyDocument(rest) ? undefined : rest;
}

function withoutHooks(text: string): string {
  return HOOKS.reduce((result, { event }) => withoutHooksOf(result, ['hooks', event]), text);
}

/**
 * Returns the text without our hooks. A group that has only ours is removed as a whole; from other groups, only our hook
 * is removed.
 */
function withoutHooksOf(text: string, path: readonly [string, string]): string {
  const rest = removeItems(text, path, isOurGroup);
  const groups = childAt(readJsonDocument(rest), path)?.node;
  const count = groups?.kind === 'array' ? groups.children.length : 0;
  return Array.from({ length: count }, (_, index) => [...path, index, 'hooks']).reduce(
    // Claude Code wants a list of hooks in each group, which may be empty.
    (result, hooks) => removeItems(result, hooks, isOurHook, { kept: hooks.length }),
    rest,
  );
}

function isOurGroup(item: JsonNode): boolean {
  const { hooks, ...others } = (plainValue(item) ?? {}) as Readonly<Record<string, unknown>>;
  return Array.isArray(hooks) && hooks.length === 1 && isOurCommand(hooks[0]) && Object.keys(others).length === 0;
}

function isOurHook(item: JsonNode): boolean {
  return isOurCommand(plainValue(item));
}

function isOurCommand(hook: unknown): boolean {
  const { command } = (hook ?? {}) as { readonly command?: unknown };
  return typeof command === 'string' && OUR_COMMAND.test(command.split('\n').at(-1)!);
}
