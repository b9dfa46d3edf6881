import { parseAgentText } from '../../agents/agent-text.ts';
import { findServerLists } from '../../agents/server-lists.ts';
import { MIN_SECRET_LENGTH } from '../../config/secrets/mask.ts';
import { secretInText, secretOfArgument, secretsOf } from '../server-lists/find-secrets.ts';

/** Members of entries whose values are private. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['env', 'headers', 'http_headers']);

/** Returns the texts in an agent's file that must not be shown: values of variables and headers of its servers, and other secrets in its entries. */
export function agentSecrets(text: string, file: string): string[] {
  const entries = findServerLists(parseAgentText(text, file)).flatMap(({ servers }) => Object.values(servers));
  return [...new Set(entries.flatMap(secretsIn))].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
}

function secretsIn(entry: unknown): string[] {
  if (typeof entry === 'string') return secretsOf(secretInText(entry));
  if (Array.isArray(entry)) return entry.flatMap((item, index) => secretsOfItem(item, entry[index - 1]));
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.entries(entry).flatMap(([key, value]) =>
    SECRET_MEMBERS.has(key) ? Object.values(value ?? {}).map(String) : secretsIn(value),
  );
}

function secretsOfItem(item: unknown, previous: unknown): string[] {
  if (typeof item !== 'string') return secretsIn(item);
  return secretsOf(secretOfArgument(item, typeof previous === 'string' ? previous : undefined));
}
