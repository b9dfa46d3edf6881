import { redact } from '../../redaction/redact.ts';
import type { FoundServer } from './agent-lists.ts';

const MAX_LENGTH = 120;

/** Returns the members of an entry that have no meaning here, as they are written, so that users can find them. */
export function unusedFields({ unused, raw }: FoundServer): string[] {
  return unused.map((keys) => {
    const value = keys.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>>)[key], raw);
    return `not used here: ${JSON.stringify(keys.join('.'))}: ${shortText(keys.at(-1)!, value)}`;
  });
}

function shortText(key: string, value: unknown): string {
  const { value: safe } = redact({ [key]: value });
  const text = JSON.stringify(safe[key], (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
