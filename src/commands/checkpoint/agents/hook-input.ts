import type { Readable } from 'node:stream';

/** The input that Claude Code gives to a hook. */
export interface HookInput {
  /** The project's folder. */
  readonly folder: string;
  /** File of the session. */
  readonly transcript: string | undefined;
  readonly event: string | undefined;
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a hook's input to its end. On a terminal there is none: a user who tries a hook by hand means the current
 * folder.
 * @throws Error if it is not a JSON object
 */
export async function readHookInput(
  stdin: Readable & { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<HookInput> {
  const text = stdin.isTTY === true ? '' : await readAll(stdin);
  const { cwd: folder, transcript_path: transcript, hook_event_name: event } = parse(text);
  return {
    // The session's folder moves as Claude Code changes into others; the project's does not.
    folder: env.CLAUDE_PROJECT_DIR || asText(folder) || cwd,
    transcript: asText(transcript),
    event: asText(event),
  };
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) throw new Error('its input is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('its input is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('its input is not an object');
  return value as Record<string, unknown>;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
