import type { AllPatterns } from './built-patterns.ts';
import { examinePattern } from './examine.ts';

/** A call of `RegExp` whose patterns are not examined, because something else limits the time that they take. */
export interface BoundedCall {
  readonly file: string;
  /** The source text of the call. */
  readonly text: string;
  /** The reason why its time is limited. */
  readonly reason: string;
}

/** Returns one line for each pattern that is refused, each built pattern that was not seen, and each unused exception. */
export function problemsOf({ patterns, unseen }: AllPatterns, bounded: readonly BoundedCall[]): string[] {
  const isSame = (call: Pick<BoundedCall, 'file' | 'text'>, other: Pick<BoundedCall, 'file' | 'text'>) =>
    call.file === other.file && call.text === other.text;
  const unknown = unseen.filter((call) => !bounded.some((known) => isSame(call, known)));
  const unused = bounded.filter((known) => !unseen.some((call) => isSame(call, known)));
  return [
    ...unknown.map(
      ({ place, text }) =>
        `${place}: ${text} builds a pattern that was not seen. Add a call to SAMPLES in scripts/regex/main.ts`,
    ),
    ...unused.map(({ file, text }) => `${file} no longer has ${text}. Remove it from BOUNDED in scripts/regex/main.ts`),
    ...refusals(patterns),
  ];
}

function refusals(patterns: AllPatterns['patterns']): string[] {
  const verdicts = new Map<string, string | undefined>();
  return patterns.flatMap(({ place, source, flags }) => {
    const pattern = `/${source}/${flags}`;
    if (!verdicts.has(pattern)) verdicts.set(pattern, examinePattern(source, flags));
    const verdict = verdicts.get(pattern);
    return verdict === undefined ? [] : [`${place}: ${pattern} is ${verdict}`];
  });
}
