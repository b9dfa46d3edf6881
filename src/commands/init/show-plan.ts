import { escaped } from '../../core/text/escaped.ts';
import { redact } from '../../redaction/redact.ts';
import type { ImportPlan, PlannedEntry } from '../server-lists/import-plan.ts';
import { shown } from '../terminal/shown-word.ts';

/** Variables that decide what code a program runs. Their values are not secret and must be shown. */
const DECIDES_CODE =
  /^(LD_|DYLD_|NODE_|npm_|PYTHON|RUBY|PERL|JAVA_|_JAVA|JDK_|GIT_|BASH_|DOTNET_|BUN_|DENO_|UV_|PIP_)|^(PATH|ENV|SHELL|EDITOR|PAGER|PS4|IFS)$|(_OPTIONS|_OPTS|_PRELOAD|_COMMAND|_EXEC|_REGISTRY|_INDEX_URL)$/i;

const SECRET_NAME = /TOKEN|SECRET|PASS|KEY|AUTH|CRED/i;

/** Returns what would be imported as lines for people: every command in full, without characters that a terminal would hide. */
export function showPlan({ entries }: ImportPlan): string[] {
  return entries.flatMap((entry) => [...showEntry(entry), '']);
}

function showEntry({ key, value, obstacle, remarks }: PlannedEntry): string[] {
  const {
    command,
    args = [],
    env = {},
    headers = {},
    cwd,
    url,
    auth,
  } = value as {
    command?: string;
    args?: readonly string[];
    env?: Readonly<Record<string, string>>;
    headers?: Readonly<Record<string, string>>;
    cwd?: string;
    url?: string;
    auth?: unknown;
  };
  const runs = command === undefined ? [] : [`  runs  ${[command, ...args].map(shown).join(' ')}`];
  const reaches = url === undefined ? [] : [`  url   ${shown(withoutSecrets(url))}`];
  const variables = Object.entries(env).map(([name, text]) => `  env   ${shown(name)}=${shownValue(name, text)}`);
  const sent = Object.entries(headers).map(([name, text]) => `  head  ${shown(name)}: ${shownValue(name, text)}`);
  const login = auth === undefined ? [] : [`  auth  ${escaped(JSON.stringify(redact(auth).value))}`];
  const folder = cwd === undefined ? [] : [`  in    ${shown(cwd)}`];
  const tools = value.tools === undefined ? [] : [`  tools ${escaped(JSON.stringify(value.tools))}`];
  const notes = [...(obstacle === undefined ? [] : [`not taken over, but commented out: ${obstacle}`]), ...remarks];
  return [
    key,
    ...runs,
    ...reaches,
    ...folder,
    ...variables,
    ...sent,
    ...login,
    ...tools,
    ...notes.map((note) => `  note  ${escaped(note)}`),
  ];
}

function shownValue(name: string, value: string): string {
  if (DECIDES_CODE.test(name) && !SECRET_NAME.test(name)) return shown(withoutUser(value));
  if (/^\$\{\w+\}$/.test(value)) return shown(value);
  return value === '' ? '""' : '******';
}

/** Returns a URL without user, password and query, which often are tokens. */
function withoutSecrets(url: string): string {
  const shown = withoutUser(url);
  const query = shown.search(/[?#]/);
  return query === -1 ? shown : `${shown.slice(0, query)}?******`;
}

function withoutUser(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, '//******@');
}
