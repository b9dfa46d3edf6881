import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { Finding } from '../findings/finding.ts';
import { toFindings } from '../findings/yaml-findings.ts';
import { maskBroken, maskSecrets } from '../secrets/mask.ts';
import { PlainValueReader } from './plain-value.ts';
import { Positions } from './positions.ts';

export interface YamlDocument {
  /** Plain data: mappings as objects, every key a string. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** `value` is everything that the text says; otherwise, checking it further would only mislead. */
  readonly complete: boolean;
  readonly positions: Positions;
  /** Returns the text with the values of the keys with these names masked. */
  masked(names: ReadonlySet<string>): string;
}

/** Reads YAML 1.2 (core schema), even if the text names another version. Never throws for a text. */
export function readYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core', // `off`, `yes` and `no` are texts
    merge: false,
    resolveKnownTags: false, // `!!binary`, `!!set` …: refused like any other tag
    stringKeys: true,
    uniqueKeys: false, // quadratic in `yaml`; PlainValueReader checks it
    logLevel: 'error', // 'silent' would also silence MULTIPLE_DOCS
  });
  const reader = new PlainValueReader();
  const broken = document.errors.length > 0;
  // The value of an unknown tag stays a text, which it was not meant to be.
  const hasTag = document.warnings.some((warning) => warning.code === 'TAG_RESOLVE_FAILED');
  const value = broken ? undefined : reader.read(document.contents);
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const problems = toFindings([...document.errors, ...document.warnings], { text, lineOf });
  return {
    value,
    findings: [...problems, ...versionFindings(text, document), ...reader.findings],
    complete: !broken && !hasTag && !reader.incomplete,
    positions: new Positions(isNode(document.contents) ? document.contents : null, lines, reader.targets),
    masked: (names) => (broken ? maskBroken(text, names) : maskSecrets(text, document, names)),
  };
}

function versionFindings(text: string, document: Document): Finding[] {
  if (document.directives?.yaml.version !== '1.1') return [];
  const hint = 'remove the line; note that yes, no, on and off are texts in YAML 1.2';
  return [{ path: [], at: Math.max(0, text.search(/^%YAML/m)), message: 'a config is read as YAML 1.2', hint }];
}
