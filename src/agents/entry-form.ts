/** The form of the server entries in a file: the member that holds the servers in JSON, or the format. */
export type EntryForm = 'mcpServers' | 'serverUrl' | 'servers' | 'context_servers' | 'toml';

/** A file with the MCP servers of an agent. */
export interface ServerFile {
  readonly file: string;
  readonly form: EntryForm;
}
