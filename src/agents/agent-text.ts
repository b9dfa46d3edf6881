import { parse, TomlError } from 'smol-toml';
import { JsonSyntaxError, plainValue, readJsonDocument } from './files/json-document.ts';

/** The file is none that servers can be read from. Its words quote no value. */
export class AgentFileError extends Error {
  /** Counted from 1; absent if the file as a whole is meant. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, place?: { readonly line: number; readonly column: number }) {
    super(message);
    this.name = 'AgentFileError';
    this.line = place?.line;
    this.column = place?.column;
  }

  /** Returns the error with the file and the place in it in its message. */
  at(file: string): AgentFileError {
    const place = this.line === undefined ? file : `${file}:${this.line}:${this.column}`;
    return new AgentFileError(`${place}  ${this.message}`);
  }
}

/**
 * Returns the value of an agent's file: TOML by its name, else JSON as editors write it, with comments and last commas.
 * @throws AgentFileError
 */
export function parseAgentText(text: string, file: string): unknown {
  return isToml(file) ? parseToml(text) : parseJson(text);
}

export function isToml(file: string): boolean {
  return file.endsWith('.toml');
}

function parseToml(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Its own words quote the lines around the place, and with them perhaps a secret.
    throw new AgentFileError('it is not TOML from here on', error);
  }
}

function parseJson(text: string): unknown {
  if (text.replace(/^\uFEFF/, '').trim() === '') return {};
  try {
    return plainValue(readJsonDocument(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new AgentFileError(`it is not JSON: ${error.message}`, error);
  }
}
