import { stringify } from 'yaml';
import { escaped } from '../../core/text/escaped.ts';

/** An entry as it is written into a config. */
export interface WrittenEntry {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly obstacle?: string;
  readonly remarks: readonly string[];
}

/** Returns an entry as lines of YAML, with its remarks as comments above. An entry with an obstacle is commented out. */
export function entryLines({ key, value, obstacle, remarks }: WrittenEntry, indent: string): string[] {
  const notes = obstacle === undefined ? remarks : [`not taken over: ${obstacle}`, ...remarks];
  const yaml = stringify({ [key]: value }, { lineWidth: 0, defaultStringType: 'PLAIN', blockQuote: false });
  const mark = obstacle === undefined ? indent : `${indent}# `;
  return [
    ...notes.map((note) => `${indent}# ${escaped(note)}`),
    ...yaml
      .trimEnd()
      .split('\n')
      .map((line) => mark + line),
  ];
}
