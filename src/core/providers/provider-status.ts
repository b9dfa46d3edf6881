/** Tools that are not as they were approved. */
export interface PinCounts {
  readonly changed: number;
  readonly new: number;
  /** The number of entries that clients do not get. */
  readonly withheld: number;
}

/**
 * The way in which an upstream has asked its clients by elicitation or sampling: it named the call each time, or at least once it
 * did not.
 */
export type AskingGrade = 'named' | 'unnamed';

/** The clients that share a process of an upstream, and why. */
export interface SharingStatus {
  /** The value in the entry. */
  readonly share: 'auto' | 'gateway' | 'session' | 'folder';
  /** True if it has asked its clients by elicitation or sampling. */
  readonly asks: boolean;
  /** The consequences, in words for people. */
  readonly detail: string;
}

/** A window of an IDE that has a plug-in for MCP. */
export interface WindowStatus {
  readonly url: string;
  readonly dialect: 'rest' | 'json-rpc';
  /** The folder that it has open: `''` for none, `null` where the plug-in does not say. */
  readonly workspace: string | null;
  readonly state: string;
  readonly serverInfo?: Readonly<Record<string, unknown>>;
}

/** A place where a tool's schema is not valid JSON Schema. */
export interface SchemaFault {
  /** Path of the place, such as `inputSchema.properties.day.type`. */
  readonly path: string;
  /** Says what is wrong there; begins with a verb: "is null, and must be …". */
  readonly fault: string;
}

/** The same with the name that its upstream gives the tool. */
export interface ToolSchemaFault extends SchemaFault {
  readonly tool: string;
}

/** One provider as `viaduct status` and the bridge tools show it. Times are ISO 8601, durations milliseconds. */
export interface UpstreamStatus {
  readonly key: string;
  readonly prefix: string;
  readonly state: string;
  readonly since: string;
  readonly reason?: string;
  readonly retryAt?: string;
  readonly lastError?: string;
  readonly pid?: number;
  /** The address of an upstream that is not a process of ours, without its query. */
  readonly url?: string;
  readonly starts: number;
  /** Processes that belong to clients, where not all share one. */
  readonly sessions?: number;
  readonly sharing?: SharingStatus;
  /** The windows of an IDE, if the entry leads to those; the other members describe one of them. */
  readonly windows?: readonly WindowStatus[];
  readonly protocolVersion?: string;
  readonly serverInfo?: Readonly<Record<string, unknown>>;
  readonly counts: {
    readonly tools: number;
    readonly prompts: number;
    readonly resources: number;
    readonly templates: number;
  };
  readonly lastSync?: string;
  readonly listErrors: readonly string[];
  readonly skipped: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
  readonly pins: PinCounts;
  /** Tools with invisible characters in what clients send back, such as names of arguments. */
  readonly suspicious: readonly string[];
  /** The places where schemas of its tools are not valid JSON Schema; the first few hundred. */
  readonly schemaFaults: readonly ToolSchemaFault[];
  readonly calls: { readonly open: number; readonly waiting: number };
  readonly faults: Readonly<Record<string, unknown>>;
  /** By tool, the reason why the last arguments failed its schema, if they were forwarded all the same. */
  readonly misfits: Readonly<Record<string, string>>;
  readonly stderr: readonly string[];
  /** Those that it wrote since it was started, where it was not connected since: no client's call can be in them. */
  readonly startStderr: readonly string[];
}

/** The result of a manual sync. */
export interface SyncReport {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly total: number;
  /** The other lists that could not be read, and why. */
  readonly problem?: string;
}

/** A source of status. */
export interface StatusSource {
  status(): UpstreamStatus;
}

/** The operations on an upstream that workflows and commands use. */
export interface UpstreamControl extends StatusSource {
  /**
   * Connects if need be and reads the lists once.
   * @throws GatewayError that says why there are no lists.
   */
  sync(): Promise<SyncReport>;
  /** Ends the connection until it is requested again. */
  disconnect(reason: string): Promise<void>;
}
