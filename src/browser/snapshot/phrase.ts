import { quote, urlWord } from './quote.ts';
import type { ShownNode } from './shown-item.ts';

/** The limits of the text that is shown. */
export interface TextLimits {
  /** Characters of a name or a value. */
  readonly name: number;
  /** Characters of a text that names nothing. */
  readonly text: number;
  /** Options of a select that are listed; of one that has more, their number is told. */
  readonly options: number;
}

const MAX_URL = 100;
const MAX_OPTION = 60;

/** Returns one thing on one line: `textbox e4 "Name" = "Ada" required`. @param name `''` if it has none */
export function phrase(node: ShownNode, name: string, limits: TextLimits): string {
  const { role, level, id, states = [], url, remark } = node;
  return [
    role,
    level,
    id,
    name === '' ? undefined : quote(name, limits.name),
    valueText(node, limits),
    optionsText(node, limits),
    ...states,
    url ? urlWord(url, MAX_URL) : undefined,
    remark && `(${remark})`,
  ]
    .filter((word) => word !== undefined && word !== '')
    .join(' ');
}

function valueText({ value, isSecret }: ShownNode, { name }: TextLimits): string | undefined {
  if (isSecret) return '= (hidden)';
  return value === undefined ? undefined : `= ${quote(value, name)}`;
}

function optionsText({ options, optionCount = 0 }: ShownNode, limits: TextLimits): string | undefined {
  if (options === undefined) return undefined;
  const count = `${optionCount} ${optionCount === 1 ? 'option' : 'options'}`;
  if (optionCount > limits.options) return `(${count})`;
  return `(${count}: ${options.map((option) => quote(option, MAX_OPTION)).join(', ')})`;
}
