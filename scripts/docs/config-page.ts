import { z } from 'zod';
import { fileModel } from '../../src/config/file-model.ts';
import type { ConfigKey } from '../../src/config/keys/config-keys.ts';
import { POLICIES } from '../../src/policy/index.ts';
import { policyOptions } from '../../src/policy/policy-set.ts';
import { ENGINES } from '../../src/store/database/engines/index.ts';
import { TRANSPORTS } from '../../src/upstream/transports/manifests/index.ts';
import type { TransportTable } from '../../src/upstream/transports/manifests/transport-table.ts';
import { withParts } from './generated-parts.ts';
import { table } from './table.ts';

/** A table of keys: those at these paths and below them. */
interface KeyTable {
  readonly paths: readonly string[];
  /** Only the keys at the paths themselves. */
  readonly isFlat?: boolean;
  /** The beginning of the paths that the table leaves out. */
  readonly without?: string;
}

const TABLES: Readonly<Record<string, KeyTable>> = {
  top: {
    paths: ['schemaVersion', 'enabledWorkflows', 'defaults', 'upstreams', 'profiles', 'workflows'],
    isFlat: true,
  },
  upstreams: { paths: ['upstreams.*'], without: 'upstreams.*.' },
  profiles: { paths: ['profiles.*'] },
  gateway: { paths: ['gateway'] },
  server: { paths: ['server'] },
  database: { paths: ['database'] },
  workspace: { paths: ['workspace'] },
  models: { paths: ['models'] },
  limits: { paths: ['names', 'lists', 'limits', 'log', 'policies'] },
  audit: { paths: ['audit'] },
};

/**
 * Returns docs/CONFIG.md with its tables written anew.
 * @param page the present text of the page
 */
export function configPage(
  page: string,
  transports: TransportTable = TRANSPORTS,
  policies = POLICIES,
  engines = ENGINES,
): string {
  const { keys } = fileModel({
    knownWorkflows: [],
    workflowOptions: {},
    policyOptions: policyOptions(policies),
    transports,
    engines,
  });
  const tables = Object.entries(TABLES).map(([name, keyTable]) => [name, tableOf(keyTable, keys)]);
  return withParts(page, { ...Object.fromEntries(tables), transports: transportTable(transports) });
}

function tableOf(keyTable: KeyTable, keys: readonly ConfigKey[]): string {
  const shown = keys.filter((key) => isRow(key) && isIn(key, keyTable));
  const rows = shown.map(({ pattern, facts, schema }) => {
    const path = pattern
      .join('.')
      .replace(keyTable.without ?? '', '')
      .replaceAll('*', 'NAME');
    const { value, byDefault } = describeValue(schema);
    return [
      `\`${path}\``,
      facts.value ?? value,
      byDefault ?? facts.byDefault ?? '–',
      [facts.meaning, facts.more ?? ''].join(' ').trim(),
    ];
  });
  return table(['key', 'value', 'default', 'meaning'], rows);
}

function isIn({ pattern }: ConfigKey, { paths, isFlat = false }: KeyTable): boolean {
  const path = pattern.join('.');
  return paths.some((one) => path === one || (!isFlat && path.startsWith(`${one}.`)));
}

/** Sections have rows for their keys instead, and a list of mappings is described as a whole. */
function isRow({ pattern, schema, facts }: ConfigKey): boolean {
  if (pattern.at(-1) === '*' || pattern.join('.').startsWith('server.tokens.')) return false;
  if (pattern.includes('auth') && pattern.at(-1) !== 'auth') return false;
  return facts.value !== undefined || inputSchema(schema).properties === undefined;
}

const inputSchema = (schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Derives the columns of a key from its schema. */
function describeValue(schema: z.core.$ZodType): { readonly value: string; readonly byDefault: string | undefined } {
  const { type, enum: choices, minimum, maximum, default: byDefault } = inputSchema(schema);
  const value = () => {
    if (choices !== undefined) return choices.map(code).join(', ');
    if (type === 'boolean') return '`true`, `false`';
    return minimum === undefined ? 'text' : `${minimum} … ${maximum}`;
  };
  return { value: value(), byDefault: byDefault === undefined ? undefined : code(byDefault) };
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Returns the table of the servers that are reached by a url. */
export function transportTable({ manifests }: TransportTable): string {
  const rows = manifests.flatMap(({ type, otherSpellings = [], row }) =>
    row === undefined
      ? []
      : [[[type, ...otherSpellings].map(code).join(', '), row.urls.map(code).join(', '), row.spoken]],
  );
  return table(['`type`', '`url`', 'what is spoken'], rows);
}
