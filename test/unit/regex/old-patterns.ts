/** Patterns that src/ had and that froze the gateway, by where they stood. */
const KEY_BEGINS = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const BETWEEN_LINES = String.raw`(?:\s|\\[nr]|[-+>|] ?)*`;

export const OLD_PATTERNS: readonly (readonly [place: string, source: string, flags: string])[] = [
  [
    'src/redaction/tokens.ts, a private key that was cut off',
    String.raw`${KEY_BEGINS}(?:${BETWEEN_LINES}(?:[A-Za-z0-9/=][A-Za-z0-9+/=]{15,}|[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,80}))+`,
    'g',
  ],
  [
    'src/redaction/tokens.ts, a JWT',
    String.raw`(?<![A-Za-z0-9_])(?:eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,})`,
    'g',
  ],
  ['src/redaction/forms/assignments.ts, the comment of a line', String.raw`\s+#.*$`, ''],
  ['src/redaction/forms/assignments.ts, the end of a sentence', String.raw`[.,:!?)\]]+$`, ''],
  ['src/projects/git/git-config.ts, a value', String.raw`^\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$`, ''],
  ['src/projects/git/git-config.ts, a comment', String.raw`\s*[#;].*$`, ''],
  ['src/projects/git/git-config.ts, the output of git', String.raw`([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0`, 'g'],
  [
    'src/workflows/checkpoint/adapters/files/managed-block.ts, a block',
    String.raw`<!-- viaduct:begin agents=([a-z,-]*) -->[\s\S]*?<!-- viaduct:end -->`,
    '',
  ],
];
