import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { BIN, temporaryFolder, writeConfig } from '../gateway.ts';
import { type AtEnd, atEnd } from '../shared.ts';

/** A client of a gateway with the workflow `rag`, and the folder that is its workspace. */
export interface RagPlace {
  readonly client: Client;
  readonly config: string;
  readonly env: Record<string, string>;
  readonly workspace: string;
  /** Writes a file of the workspace. */
  readonly write: (file: string, content: string | Buffer) => void;
  /** Calls a tool that must do its work. Returns what it answers, which fits the tool's schema and is in its text as well. */
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<any>;
  /** Calls a tool that must fail. Returns its message. */
  readonly refusal: (tool: string, args?: Record<string, unknown>) => Promise<string>;
}

interface RagOptions {
  /** The section `workflows.rag`. */
  readonly rag?: object;
  /** More of the config. */
  readonly config?: object;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly whenDone?: AtEnd;
}

export async function ragPlace(options: RagOptions = {}): Promise<RagPlace> {
  const { rag = {}, config: more = {}, whenDone = atEnd } = options;
  const folder = temporaryFolder(whenDone);
  const workspace = path.join(folder, 'workspace');
  mkdirSync(workspace);
  const config = writeConfig(
    { enabledWorkflows: ['rag'], workflows: { rag }, workspace: { root: workspace }, ...more },
    folder,
  );
  const env = { ...process.env, VIADUCT_HOME: path.join(folder, 'home'), ...options.env } as Record<string, string>;
  const client = new Client({ name: 'rag-client', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'stdio', '--config', config], env }),
  );
  whenDone(() => client.close());
  await client.listTools();
  return {
    client,
    config,
    env,
    workspace,
    write(file, content) {
      const place = path.join(workspace, file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, content);
    },
    async call(tool, args = {}) {
      const { content, structuredContent, isError } = (await client.callTool({ name: tool, arguments: args })) as any;
      if (isError === true) throw new Error(content[0].text);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      return structuredContent;
    },
    async refusal(tool, args = {}) {
      const { content, isError } = (await client.callTool({ name: tool, arguments: args })) as any;
      expect(isError).toBe(true);
      return content[0].text;
    },
  };
}
