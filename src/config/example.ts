/** The smallest config that does something; shown if there is none. */
export const EXAMPLE = `  schemaVersion: 1
  upstreams:
    everything:
      command: npx
      args: [-y, '@modelcontextprotocol/server-everything']`;
