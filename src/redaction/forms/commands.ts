import { redactionMark } from '../redactions.ts';
import { isPlaceholder } from './placeholders.ts';

type OnFound = (kind: string) => void;

interface CommandRule {
  /** The program. */
  readonly program: RegExp;
  /** Matches the text before the secret, and the secret, in quotation marks or without. */
  readonly secret: RegExp;
}

const VALUE = String.raw`(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([^\s"'\x60;|&]{1,300}))`;
/** `user:password` as one word. */
const LOGIN = String.raw`(?:"[^\s:"$]{1,80}:([^"\n]{1,300})"|'[^\s:'$]{1,80}:([^'\n]{1,300})'|[^\s:"'$]{1,80}:([^\s"'\x60;|&]{1,300}))`;

/** Surroundings of a program's name: the character before it, and what may follow it. */
const BEFORE = String.raw`(?:^|[\s;&|($\x60"'/])`;
const BEHIND = String.raw`(?:\.exe)?\s`;
const PROGRAMS: string[] = [];

function command(programs: string): RegExp {
  PROGRAMS.push(programs);
  return new RegExp(`${BEFORE}(?:${programs})${BEHIND}`);
}

const after = (before: string, value: string) => new RegExp(`(${before})${value}`, 'g');

/** Options with which programs are told a secret, where their names do not say so. */
const RULES: readonly CommandRule[] = [
  {
    program: command('curl|https?|xh|ab|siege'),
    secret: after(String.raw`\s(?:-u|-U|-a|--user|--proxy-user|--auth)[\s=]{0,4}`, LOGIN),
  },
  { program: command('curl'), secret: after(String.raw`\s(?:-b|--cookie)[\s=]{0,4}(?=["']?[^\s=]{1,80}=)`, VALUE) },
  {
    program: command('mysql(?:dump|admin|import|check)?|mariadb(?:-dump)?|7z'),
    secret: after(String.raw`\s-p(?=\S)`, VALUE),
  },
  { program: command('sshpass'), secret: after(String.raw`\s-p\s{0,4}`, VALUE) },
  {
    program: command('(?:docker|podman|nerdctl|buildah|skopeo|az|oc|cf|registry|oras|crane)(?:\\s+\\w+)?\\s+login'),
    secret: after(String.raw`\s-p\s{1,4}`, VALUE),
  },
  { program: command('mongo(?:sh|dump|restore|export|import)?'), secret: after(String.raw`\s-p\s{1,4}`, VALUE) },
  { program: command('redis-cli'), secret: after(String.raw`\s-a\s{1,4}`, VALUE) },
  { program: command('ldap(?:search|add|modify|delete|passwd|whoami)'), secret: after(String.raw`\s-w\s{1,4}`, VALUE) },
  { program: command('sqlcmd|bcp|zip|unzip'), secret: after(String.raw`\s-P\s{0,4}`, VALUE) },
  { program: command('smbclient|rpcclient|net|smbget'), secret: after(String.raw`\s-U\s{0,4}[^\s%"']{1,80}%`, VALUE) },
  {
    program: command('htpasswd'),
    secret: after(String.raw`\s-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}\s{1,4}\S{1,200}\s{1,4}\S{1,80}\s{1,4}`, VALUE),
  },
  { program: /\spass:/, secret: after(String.raw`\s-{1,2}pass(?:in|out)?\s{1,4}pass:`, VALUE) },
  {
    program: /ConvertTo-SecureString\s/i,
    secret: after(String.raw`ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?(?=["'])`, VALUE),
  },
  {
    program: /\bidentified\s/i,
    secret: after(
      String.raw`(?:IDENTIFIED|identified)\s{1,4}(?:(?:WITH|with)\s{1,4}\w{1,40}\s{1,4})?(?:BY|by)\s{1,4}(?=["'])`,
      VALUE,
    ),
  },
  { program: /--password-stdin\b/, secret: after(String.raw`\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?`, VALUE) },
  { program: /\|\s{0,4}(?:sudo\s{1,4})?chpasswd\b/, secret: after(String.raw`\b(?:echo|printf)\s{1,4}`, LOGIN) },
];

/** Finds any of the programs and options: one look, where a look for each would be most of the work, as texts have none. */
const ANY_PROGRAM = new RegExp(`${BEFORE}(?:${PROGRAMS.join('|')})${BEHIND}`);
const ANY_OPTION =
  /\spass:|ConvertTo-SecureString\s|\bidentified\s|--password-stdin\b|\|\s{0,4}(?:sudo\s{1,4})?chpasswd\b/i;

const mayHaveCommand = (text: string): boolean => ANY_PROGRAM.test(text) || ANY_OPTION.test(text);

/** `machine … login … password …`, on one line or on several. */
const NETRC = /(\blogin\s{1,4}\S{1,100}\s{1,40}(?:account\s{1,4}\S{1,100}\s{1,40})?password\s{1,4})()()(\S{3,200})/g;
/** A line of `.pgpass`. */
const PGPASS = /^([\w.*-]{1,200}:(?:\d{4,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:)()()([^\s:]{3,200})$/gm;

const PGPASS_PORT = /:(?:\d{4,5}|\*):/;

/** Takes out secrets that programs are told on their command lines, and in files of logins. */
export function redactCommands(text: string, onFound: OnFound): string {
  const replaced = (whole: string, _before: string, ...values: readonly (string | undefined)[]) => {
    const value = values.slice(0, 3).find((one) => one !== undefined && one !== '') ?? '';
    if (value.length < 3 || isPlaceholder(value)) return whole;
    onFound('password');
    const at = whole.lastIndexOf(value);
    return `${whole.slice(0, at)}${redactionMark('password')}${whole.slice(at + value.length)}`;
  };
  const withoutNetrc = text.includes('login') ? text.replace(NETRC, replaced) : text;
  const redacted = PGPASS_PORT.test(withoutNetrc) ? withoutNetrc.replace(PGPASS, replaced) : withoutNetrc;
  return mayHaveCommand(redacted) ? inCommands(redacted, replaced) : redacted;
}

/** A command goes on where its line ends with a backslash or a backtick. */
function inCommands(text: string, replaced: (whole: string, before: string) => string): string {
  const parts = text.split(/(?<=[^\\`])\n/);
  return parts
    .map((part) =>
      !mayHaveCommand(part)
        ? part
        : RULES.reduce(
            (line, { program, secret }) => (program.test(line) ? line.replace(secret, replaced) : line),
            part,
          ),
    )
    .join('\n');
}
