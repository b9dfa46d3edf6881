/** Describes a server of a sample, independent of any agent's format. `<home>` and `<project>` stand for the folders. */
export interface SampleServer {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly timeouts?: Readonly<Record<string, number>>;
}

/** A config of an agent as its documentation has them, written by us, and what it means. */
export interface AgentSample {
  readonly title: string;
  /** The file it stands in, in the home folder or in the project. */
  readonly file: string;
  readonly text: string;
  /** By the key that each has in our config. */
  readonly servers: Readonly<Record<string, SampleServer>>;
  /** Servers that are not taken over. */
  readonly left?: readonly string[];
  /** Values that must not get into our config unasked. */
  readonly secrets?: readonly string[];
  /** Further files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** True if the servers are written in a form that only a person can remove. */
  readonly isByHand?: boolean;
}

/** The environment of the import. */
export const SAMPLE_VARIABLES = { DOCS_TOKEN: 'docs-token-4711', API_BASE: 'https://api.example.com' };

/** Entries for Windows are adapted, or disabled, on other systems. */
export const IS_WINDOWS = process.platform === 'win32';

export function pretty(value: unknown, indent: string | number = 2): string {
  return `${JSON.stringify(value, null, indent)}\n`;
}
