import type { ErrorCode, YAMLError } from 'yaml';
import type { Finding } from './finding.ts';

interface Advice {
  readonly message?: string;
  readonly hint?: string;
}

export interface Source {
  readonly text: string;
  lineOf(offset: number): number;
}

const UNQUOTED_REFERENCE: Pick<Finding, 'message' | 'hint'> = {
  message: `a "\${…}" inside braces or brackets must be in quotes`,
  hint: `such as { TOKEN: "\${TOKEN}" }`,
};

const NO_TAGS: Advice = { message: 'tags (!…) are not supported', hint: 'remove it' };

/**
 * Advice that the messages of the parser lack. All messages that quote the file, which may have a secret there, are replaced:
 * UNEXPECTED_TOKEN and the ones about tags.
 */
const ADVICE: Partial<Record<ErrorCode, Advice>> = {
  TAB_AS_INDENT: {
    message: 'a tab indents this line',
    hint: 'YAML allows only spaces here: replace the tab by spaces',
  },
  BAD_ALIAS: {
    message: 'a * begins an alias',
    hint: "a text that begins with * must be quoted: '*'",
  },
  BAD_SCALAR_START: { hint: 'put the value in quotes' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second key in the same place',
    hint: 'put a value that contains ": " in quotes, or correct the indentation',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key without its ":"',
    hint: 'is a ":" missing at the end of a line, or is the indentation wrong?',
  },
  BAD_INDENT: { hint: 'correct the indentation, or close the bracket or brace that was opened before' },
  MISSING_CHAR: { hint: 'a quote, bracket or brace that was opened earlier is not closed' },
  MULTIPLE_DOCS: { message: 'a second document begins here', hint: 'a config is one document: remove the "---"' },
  NON_STRING_KEY: { message: 'a key must be plain text, not a list, a mapping or an alias' },
  RESOURCE_EXHAUSTION: { message: 'nested too deeply' },
  TAG_RESOLVE_FAILED: NO_TAGS,
  BAD_COLLECTION_TYPE: NO_TAGS,
  UNEXPECTED_TOKEN: {
    message: 'this does not belong here',
    hint: 'is a quote, a bracket or a brace before it missing, or one too many?',
  },
  BAD_DIRECTIVE: { hint: 'remove the line: directives (%…) are not needed' },
};

/**
 * One finding a line, as a mistake brings others in its wake. When the file is nested too deeply only that is said:
 * hundreds of unclosed brackets follow from it.
 */
export function toFindings(errors: readonly YAMLError[], source: Source): Finding[] {
  const exhausted = errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  if (exhausted !== undefined) return [toFinding(exhausted, source)];
  const lines = new Map<number, Finding>();
  for (const error of withoutWake(errors)) {
    const line = source.lineOf(error.pos[0]);
    if (!lines.has(line)) lines.set(line, toFinding(error, source));
  }
  return [...lines.values()];
}

/**
 * Returns the errors without consequential ones: after one misplaced thing, everything that follows is reported as
 * misplaced too.
 */
function withoutWake(errors: readonly YAMLError[]): YAMLError[] {
  const first = errors.find((error) => error.code === 'UNEXPECTED_TOKEN');
  return errors.filter((error) => error === first || error.code !== 'UNEXPECTED_TOKEN');
}

function toFinding(error: YAMLError, { text }: Source): Finding {
  const at = error.pos[0];
  if (text.startsWith('${', at - 1)) return { path: [], at: at - 1, ...UNQUOTED_REFERENCE };
  const { message = lowerFirst(error.message), hint } = ADVICE[error.code] ?? {};
  return { path: [], at, message, hint };
}

const lowerFirst = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);
