import { redact } from '../../redaction/redact.ts';
import type { FoundServer } from './agent-lists.ts';

const MAX_LENGTH = 120;

/** What an entry says that means nothing here: kept as words, so that nobody has to search for it. */
export function unusedFields({ unused, raw }: FoundServer): string[] {
  const fields = raw as Readonly<Record<string, unknown>>;
  return unused.map((key) => `not used here: ${JSON.stringify(key)}: ${shortText(key, fields[key])}`);
}

function shortText(key: string, value: unknown): string {
  const { value: safe } = redact({ [key]: value });
  const text = JSON.stringify(safe[key], (_name, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
