import type { TransportDefinition } from '../transport.ts';

/** The key of an entry that says where its server is. An entry has exactly one of them. */
export type AddressKey = 'command' | 'url' | 'ports';

/** A problem of an address, and what to do about it. */
export interface AddressProblem {
  readonly message: string;
  readonly hint: string;
}

/** The keys of an entry that names a server by a command that we run. */
export interface CommandAddress {
  /** Keys of the entry that mean something beside `command`. */
  readonly keys: readonly string[];
}

/** The keys and urls of an entry that names a server by its url. */
export interface UrlAddress {
  /** Keys of the entry that mean something beside `url`. */
  readonly keys: readonly string[];
  /** Schemes of its urls with their colon, such as `ws:`. */
  readonly protocols: readonly string[];
  /** The protocols among them that use TLS. */
  readonly secure?: readonly string[];
  /** The protocol that carries the messages, as messages call it where keys apply to some protocols only. */
  readonly carrier?: string;
  /** Returns what is wrong with a url of one of the `protocols`, beyond being a url. */
  check?(url: string): AddressProblem | undefined;
  /**
   * Returns the url with what it leaves open, for urls that name a file.
   * @param absolute makes a path absolute: relative to the folder of the config, with `~/` as the home folder
   */
  complete?(url: string, absolute: (path: string) => string): string;
  /** Returns a shell command with which a user can see whether a server answers. */
  attempt(url: string): string;
}

/** The keys of an entry that names a server by local ports on which it is searched for. */
export interface PortsAddress {
  /** Keys of the entry that mean something beside `ports`. */
  readonly keys: readonly string[];
  /** Advice for the user if no server is found. */
  readonly advice: string;
}

/** A row of the table of transports in docs/CONFIG.md. */
export interface TransportRow {
  /** Its urls, as a user would write them. */
  readonly urls: readonly string[];
  /** The protocol, described in a sentence of Markdown. */
  readonly spoken: string;
}

/**
 * Everything that the rest of the program knows about a transport: the config, `viaduct doctor`, `viaduct import` and
 * the documentation use it. It is loaded at every start, so the code of the transport is imported by `load`.
 */
export interface TransportManifest {
  /** Its name: the `type` of entries that use it. */
  readonly type: string;
  /** Other spellings of `type` that the config accepts. */
  readonly otherSpellings?: readonly string[];
  /** Spellings in the configs of agents that mean the type of such a url, which need not be written. */
  readonly spellingsOfAgents?: RegExp;
  /** The ways in which an entry can say where the server is; at least one. */
  readonly addresses: {
    readonly command?: CommandAddress;
    readonly url?: UrlAddress;
    readonly ports?: PortsAddress;
  };
  /** Modern servers may want arguments of a tool repeated in headers (`x-mcp-header` in its input schema). */
  readonly repeatsArguments?: boolean;
  /** Its row in the table of servers that are reached by a url. */
  readonly row?: TransportRow;
  /** Loads the code of the transport. */
  load(): Promise<TransportDefinition>;
}
