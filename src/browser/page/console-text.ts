import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { boundedText } from './page-text.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

/** Characters of one argument. */
const MAX_ARGUMENT = 10_000;
const MAX_ARGUMENTS = 100;

/** Returns what the console shows for the arguments of a call such as `console.log`: objects by their preview. */
export function consoleText(args: readonly RemoteObject[]): string {
  const [first, ...rest] = args.slice(0, MAX_ARGUMENTS);
  if (first?.type !== 'string') return args.slice(0, MAX_ARGUMENTS).map(textOf).join(' ');
  const { text, used } = formatted(textOf(first), rest.map(textOf));
  return [text, ...rest.slice(used).map(textOf)].join(' ');
}

/** Returns what the console shows for an exception: an error with its stack, or another value. */
export function thrownText({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  if (exception === undefined) return boundedText(text, MAX_ARGUMENT);
  return exception.subtype === 'error' ? textOf(exception) : `${text} ${textOf(exception)}`;
}

/** Puts arguments in the place of `%s` and the like: https://console.spec.whatwg.org/#formatter. Styles (`%c`) are left out. */
function formatted(format: string, values: readonly string[]): { text: string; used: number } {
  let used = 0;
  const text = format.replace(/%[sdifoOc%]/g, (sign) => {
    if (sign === '%%') return '%';
    if (used >= values.length) return sign;
    const value = values[used++]!;
    return sign === '%c' ? '' : value;
  });
  return { text, used };
}

function textOf({ type, value, unserializableValue, description, preview }: RemoteObject): string {
  if (type === 'string') return boundedText(String(value), MAX_ARGUMENT);
  if (unserializableValue !== undefined) return boundedText(unserializableValue, MAX_ARGUMENT);
  if (preview !== undefined) return boundedText(previewText(preview), MAX_ARGUMENT);
  return boundedText(description ?? JSON.stringify(value) ?? type, MAX_ARGUMENT);
}

function previewText({ subtype, description, properties, overflow }: Protocol.Runtime.ObjectPreview): string {
  if (subtype === 'error') return description ?? 'Error';
  const rest = overflow ? ['…'] : [];
  if (subtype === 'array') return `[${[...properties.map(({ value }) => value ?? ''), ...rest].join(', ')}]`;
  return `{${[...properties.map(({ name, value }) => `${name}: ${value ?? ''}`), ...rest].join(', ')}}`;
}
