export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  readonly all: boolean;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/**
 * Replaces the first or all of what is exactly `oldString`; 0 replacements where it is not there. Where the file ends its
 * lines with CRLF, a line feed alone in `oldString` means that as well, and what is put in has CRLF too.
 */
export function editText(text: string, { oldString, newString, all }: Edit): Edited {
  const hasReturns = text.includes('\r\n');
  const isExact = text.includes(oldString);
  const find = isExact || !hasReturns ? oldString : withReturns(oldString);
  const put = hasReturns && shouldHaveReturns(text, find) ? withReturns(newString) : newString;
  if (all) {
    const parts = text.split(find);
    return { text: parts.join(put), replacements: parts.length - 1 };
  }
  const at = text.indexOf(find);
  if (at < 0) return { text, replacements: 0 };
  return { text: text.slice(0, at) + put + text.slice(at + find.length), replacements: 1 };
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
