import { findText } from '../../../core/text/find-text.ts';

export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  readonly all: boolean;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
  /** The length that the text would have; it is unchanged, because that is too long. */
  readonly excess?: number;
}

/** Far below the longest string of the runtime: the text is held several times while it is written. */
const MAX_LENGTH = 64 * 1024 * 1024;

/**
 * Replaces the first or all of what is exactly `oldString`; 0 replacements where it is not there. If the file ends its
 * lines with CRLF, a line feed alone in `oldString` means that as well, and what is put in has CRLF too.
 */
export function editText(text: string, { oldString, newString, all }: Edit): Edited {
  const hasReturns = text.includes('\r\n');
  const isExact = findText(text, oldString) !== -1;
  const find = isExact || !hasReturns ? oldString : withReturns(oldString);
  const put = hasReturns && shouldHaveReturns(text, find) ? withReturns(newString) : newString;
  const pieces: string[] = [];
  let replacements = 0;
  let from = 0;
  for (let at = findText(text, find); at !== -1; at = all ? findText(text, find, from) : -1) {
    pieces.push(text.slice(from, at));
    from = at + find.length;
    replacements++;
  }
  if (replacements === 0) return { text, replacements };
  const length = text.length + replacements * (put.length - find.length);
  if (length > MAX_LENGTH) return { text, replacements, excess: length };
  return { text: [...pieces, text.slice(from)].join(put), replacements };
}

/** The lines that are replaced tell how lines end; else most of the file's. */
function shouldHaveReturns(text: string, find: string): boolean {
  if (find.includes('\n')) return find.includes('\r\n');
  const returns = text.split('\r\n').length - 1;
  return returns * 2 >= text.split('\n').length - 1;
}

function withReturns(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}
