/** A way in which a name and its value stand together. */
export interface Link {
  /** The text in front of the name. */
  readonly before: RegExp;
  /** The text between the name and its value. */
  readonly between: RegExp;
  /**
   * The form of the value: in quotation marks only, as the word after an option, as the content of an element, or as a
   * word of a file (`bare`) or of a sentence or code (`loose`).
   */
  readonly form: 'quoted' | 'option' | 'element' | 'bare' | 'loose';
  /** Holds for names of two words as well: `API key`. */
  readonly isForPhrases?: boolean;
  /** The name is that of a function: in `pw.dir.join('x')` only the last part counts. */
  readonly isOfFunction?: boolean;
}

const ANY = /(?:)/;
/** A quotation mark, also an escaped one. */
const QUOTE = String.raw`(?:\\{0,7}["'])?`;

const link = (before: RegExp | string, between: string, form: Link['form'], isForPhrases = false): Link => ({
  before: typeof before === 'string' ? new RegExp(before) : before,
  between: new RegExp(between, 'y'),
  form,
  isForPhrases,
});

export const LINKS: readonly Link[] = [
  // `--token X`, `-token X`; with `=` it is an assignment.
  link(String.raw`(?:^|[\s"'\x60([])--?$`, String.raw`[^\S\n]{1,4}(?=[^\s-]|-[^\s-])`, 'option'),
  // `environ['API_KEY'] = …`
  link(String.raw`\[\s?["'\x60]$`, String.raw`["'\x60]\s?\]\s{0,4}=(?![=>])\s{0,4}`, 'loose'),
  // `set("password", "…")`, also with more between the bracket and the name.
  link(
    String.raw`\(\s{0,4}(?:["'][^"'()]{0,60}["'],\s{0,4}|\w{1,40},\s{0,4})?["'\x60]-{0,2}$`,
    String.raw`["'\x60]\s{0,4},\s{0,20}`,
    'quoted',
  ),
  // `.setPassword("…")`, `.auth("…")`
  { ...link(/(?:^|[.\s>:])$/, String.raw`\(\s{0,4}`, 'quoted'), isOfFunction: true },
  // `{"name": "DB_PASSWORD", "value": "…"}`, in YAML, in attributes.
  link(
    String.raw`(?:name|key|Name|Key|variable|header)${QUOTE}\s{0,4}[:=]\s{0,4}${QUOTE}$`,
    String.raw`${QUOTE}\s{0,4}[,;]?\s{0,40}${QUOTE}(?:[vV]alue|default|content)${QUOTE}\s{0,4}[:=][^\S\n]{0,4}`,
    'bare',
  ),
  // `variable "x" { type = string  default = "…" }`
  link(/variable\s{1,4}"$/, String.raw`"\s{0,8}\{[^{}]{0,400}?\bdefault\s{0,8}=\s{0,4}(?=")`, 'quoted'),
  // `<password>…</password>`, `<property name="password">…</property>`, `<key>Token</key><string>…</string>`
  link(/<(?:[\w-]{1,40}:)?$/, String.raw`(?:\s[^<>\n]{0,200})?>\s{0,40}(?=[^<>\s])(?:<!\[CDATA\[)?`, 'element'),
  link(
    /<[\w:-]{1,40}\s[^<>]{0,80}(?:name|key)=["']$/,
    String.raw`["'][^<>\n]{0,200}>\s{0,40}(?:<value>)?(?=[^<>\s])`,
    'element',
  ),
  link(/<key>$/, String.raw`</key>\s{0,40}<string>`, 'element'),
  // `set -gx NAME value`, `ENV NAME value`
  link(
    /(?:^|[\n;&|>$#(])[^\S\n]{0,20}(?:set|setenv|setx|ENV)(?:[^\S\n]-{1,2}[A-Za-z]{1,10})?[^\S\n]{1,4}$/,
    String.raw`[^\S\n]{1,4}(?=[^\s=:-])`,
    'option',
  ),
  // `npm config set NAME value`, `git config --global a.token value`
  link(
    /\b(?:config|configure|secrets?|env|variables?)[^\S\n]{1,4}(?:set|put|add|create|update|--global|--local|--system)[^\S\n]{1,4}(?:[^\s"']{1,80}[:.])?["']?$/,
    String.raw`["']?[^\S\n]{1,4}(?=[^\s=:-])`,
    'option',
  ),
  // A line of two words, as in files of redis.
  link(/(?:^|\n)[^\S\n]{0,20}$/, String.raw`[^\S\n]{1,20}(?=\S{1,200}[^\S\n]{0,4}(?:\n|$))`, 'loose'),
  // `ALTER USER me WITH PASSWORD '…'`
  link(
    /\b(?:WITH|with|ENCRYPTED|encrypted|SET|set|ROLE|role|USER|user)\s{1,4}(?:\S{1,60}\s{1,4})?$/,
    String.raw`\s{1,4}(?=')`,
    'quoted',
  ),
  // `**Password:** …`, `| password | … |`
  link(/[*_]{1,3}$/, String.raw`(?::[*_]{1,3}|[*_]{1,3}:)[^\S\n]{0,4}`, 'loose', true),
  link(/\|[^\S\n]{1,20}[*\x60]{0,3}$/, String.raw`[*\x60]{0,3}[^\S\n]{1,20}\|[^\S\n]{1,20}`, 'loose', true),
  // `the password is …`
  link(ANY, String.raw`[^\S\n]{1,2}(?:is|was|are)(?::|[^\S\n]now)?[^\S\n]{1,2}`, 'loose', true),
  // `set STRIPE_SECRET to …`
  link(
    /\b(?:set|sets|change|changed|reset)\b[^\n]{0,60}$/i,
    String.raw`["'\x60]?[^\S\n]{1,2}to[^\S\n]{1,2}`,
    'loose',
    true,
  ),
  link(/(?:^|[^\w.$-])$/, String.raw`[^\S\n]{0,2}[:=][^\S\n]{1,4}`, 'loose', true),
];
