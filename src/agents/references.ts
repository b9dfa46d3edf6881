import path from 'node:path';
import { z } from 'zod';

/** The meaning of `${…}` in a file. */
export interface ReferenceMeaning {
  /** True if references are replaced. If not, the text is plain, `${` included. */
  readonly hasReferences: boolean;
  /** `${NAME}` means a variable. Else it is plain text, which the server may resolve from its own environment. */
  readonly hasBareReferences: boolean;
  /** Only `{env:NAME}` means a variable, as opencode has it. `${…}` is plain text. */
  readonly hasBraces?: boolean;
  /** The folder of the project, as a text of our config; `undefined` if the file belongs to none. */
  readonly workspace: string | undefined;
  /** The name of that folder. */
  readonly workspaceName: string | undefined;
  /** The input that the user is asked for. */
  readonly inputs: readonly AgentInput[];
}

const inputSchema = z.looseObject({
  id: z.string(),
  description: z.string().optional(),
  default: z.string().optional(),
  password: z.boolean().optional(),
});

/** A value that VS Code asks its user for when a server is started. */
export type AgentInput = z.output<typeof inputSchema>;

export function readInputs(value: unknown): AgentInput[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => inputSchema.safeParse(item)).flatMap(({ data }) => (data === undefined ? [] : [data]));
}

const REFERENCE = /\$\{([^{}]*)\}/g;
const BRACES = /(?<!\$)\{env:([A-Za-z_]\w*)\}/g;
const BARE_NAME = /^[A-Za-z_]\w*$/;

/** Returns the variable that stands for an input here. */
export function variableOfInput(id: string): string {
  const name = id.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `INPUT_${name}`;
}

/** Returns the ids of the inputs that a text refers to. */
export function inputsIn(text: string): string[] {
  return [...text.matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id]) => id!);
}

/**
 * Returns the same text with references as our config has them. `${NAME}` is plain text where it does not mean a variable;
 * other unknown references stay unchanged.
 */
export function ourReferences(text: string, meaning: ReferenceMeaning): string {
  if (meaning.hasBraces === true) return plainText(text).replace(BRACES, (_whole, name: string) => `\${${name}}`);
  if (!meaning.hasReferences) return plainText(text);
  return text.replace(REFERENCE, (whole, body: string) => {
    const isPlain = !meaning.hasBareReferences && BARE_NAME.test(body);
    return ourReference(body, meaning) ?? (isPlain ? plainText(whole) : whole);
  });
}

/** Returns a text that means itself, as our config writes it. */
export function plainText(text: string): string {
  // As a function: in a text `$$` would mean `$`.
  return text.replaceAll('${', () => '$${');
}

function ourReference(body: string, { workspace, workspaceName, inputs }: ReferenceMeaning): string | undefined {
  const variable = /^env:([A-Za-z_]\w*(?::-.*)?)$/s.exec(body)?.[1];
  if (variable !== undefined) return `\${${variable}}`;
  const input = /^input:(.+)$/.exec(body)?.[1];
  if (input !== undefined) return referenceToInput(input, inputs);
  // A folder of which nothing is known becomes a variable that the user can set.
  const folder = workspace ?? '${WORKSPACE_FOLDER}';
  const known: Readonly<Record<string, string | undefined>> = {
    userHome: '${HOME}',
    workspaceFolder: folder,
    workspaceRoot: folder,
    workspaceFolderBasename: workspaceName,
    pathSeparator: path.sep,
    '/': path.sep,
  };
  return Object.hasOwn(known, body) ? known[body] : undefined;
}

function referenceToInput(id: string, inputs: readonly AgentInput[]): string {
  const input = inputs.find((one) => one.id === id);
  const byDefault = input?.password === true ? undefined : input?.default;
  const isPlain = byDefault !== undefined && /^[^${}]*$/.test(byDefault);
  return `\${${variableOfInput(id)}${isPlain ? `:-${byDefault}` : ''}}`;
}
