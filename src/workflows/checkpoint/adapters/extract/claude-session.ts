import { cutOutsideSecrets } from '../../../../redaction/cut-outside-secrets.ts';
import { conversationOf, type ExtractedConversation, type Turn } from './conversation.ts';

interface SessionLine {
  readonly type?: unknown;
  readonly summary?: unknown;
  readonly timestamp?: unknown;
  readonly isMeta?: unknown;
  readonly isSidechain?: unknown;
  readonly isCompactSummary?: unknown;
  readonly message?: { readonly content?: unknown };
}

/** Matches what Claude Code adds to the user's turns: commands, their output, reminders, open files of the IDE. */
const NOT_SAID =
  /^\s*<(command-(name|message|args)|local-command-(stdout|stderr|caveat)|system-reminder|bash-(input|stdout|stderr)|ide_[a-z_]+|task-notification)>/;

export interface SessionOptions {
  readonly keep: number;
  readonly transcript?: string;
}

/**
 * Returns the conversation in the lines of a Claude Code session. Lines of kinds that we do not know, and lines that are no
 * JSON, are passed over: the format is Claude Code's own and changes.
 */
export function readClaudeSession(
  lines: Iterable<string>,
  { keep, transcript }: SessionOptions,
): ExtractedConversation | undefined {
  const turns: Turn[] = [];
  let summary: string | undefined;
  for (const text of lines) {
    const line = parseLine(text);
    if (line === undefined || line.isSidechain === true || line.isMeta === true) continue;
    if (line.type === 'summary' && typeof line.summary === 'string') summary = line.summary;
    else if (line.isCompactSummary === true) summary = textOf(line.message?.content) || summary;
    else turns.push(...turnOf(line));
  }
  return conversationOf({ turns, summary, keep, fidelity: 'L3', transcript });
}

function parseLine(text: string): SessionLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function turnOf({ type, message, timestamp }: SessionLine): Turn[] {
  if (type !== 'user' && type !== 'assistant') return [];
  const content = textOf(message?.content);
  if (content === '') return [];
  return [{ role: type, content, ...(typeof timestamp === 'string' && { at: timestamp }) }];
}

/** Returns the text of a turn; of tools only that they were used, and none of their results. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return saidText(content);
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => blockText(block as Readonly<Record<string, unknown>> | null))
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockText(block: Readonly<Record<string, unknown>> | null): string {
  if (block?.type === 'text' && typeof block.text === 'string') return saidText(block.text);
  if (block?.type === 'tool_use' && typeof block.name === 'string') return toolText(block.name, block.input);
  return '';
}

function saidText(text: string): string {
  return NOT_SAID.test(text) ? '' : text.trim();
}

function toolText(name: string, input: unknown): string {
  const { file_path, command, description } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const about = [file_path, description, command].find((value) => typeof value === 'string');
  return about === undefined ? `[used ${name}]` : `[used ${name}: ${cutOutsideSecrets(String(about), 200)}]`;
}
