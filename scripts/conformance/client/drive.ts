/**
 * The program that a suite starts as the client under test: a gateway in front of the scenario's server, whose URL is the last
 * word, and a plain client of that gateway. The client lists everything, and calls, reads and gets what is there.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RawClient, spawnClient } from '../../../test/support/clients/raw-client.ts';
import { type Schema, sampleOf } from './sample.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
}

interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

const LISTS_MS = 5_000;
/** The suite gives up after 30 s, but ends only the shell that it started this with. */
const LIMIT_MS = 20_000;
/** The arguments that this scenario's server expects in calls of the tool of that name. */
const ECHO_TOOL = 'json_schema_echo';
const ECHOED_TOOL = 'json_schema_2020_12_tool';

const url = process.argv.at(-1)!;
const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-conformance-client-'));
const config = path.join(folder, 'viaduct.yaml');
writeFileSync(config, JSON.stringify({ schemaVersion: 1, upstreams: { scenario: { type: 'http', url, prefix: '' } } }));
const { client, child, stderr } = spawnClient(process.execPath, ['dist/main.js', 'stdio', '--config', config], {
  ...process.env,
  VIADUCT_HOME: folder,
  VIADUCT_GATEWAY: 'private',
});
const exited = once(child, 'exit');
// The client's open request fails when its gateway is gone.
const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
try {
  answerQuestions(client);
  await client.initialize({ sampling: {}, elicitation: {}, roots: {} });
  await useEverything(client);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
} finally {
  client.end();
  await exited;
  clearTimeout(limit);
  process.stderr.write(stderr());
  rmSync(folder, { recursive: true, force: true });
}

function answerQuestions({ answers }: RawClient): void {
  answers.set('elicitation/create', ({ requestedSchema }: { readonly requestedSchema: Schema }) => ({
    action: 'accept',
    content: sampleOf(requestedSchema, { isComplete: true }),
  }));
  answers.set('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'text' },
    model: 'none',
  }));
  answers.set('roots/list', () => ({ roots: [] }));
}

async function useEverything(gateway: RawClient): Promise<void> {
  const tools = await toolsOf(gateway);
  for (const { name, arguments: args } of callsOf(tools)) await gateway.call(name, args);
  const [resource] = await listed<{ readonly uri: string }>(gateway, 'resources');
  if (resource !== undefined) await gateway.request('resources/read', { uri: resource.uri });
  const [prompt] = await listed<{ readonly name: string }>(gateway, 'prompts');
  if (prompt !== undefined) await gateway.request('prompts/get', { name: prompt.name });
}

/** The tools once there are any; some scenarios have none. */
async function toolsOf(gateway: RawClient): Promise<readonly Tool[]> {
  const until = performance.now() + LISTS_MS;
  for (;;) {
    const tools = await listed<Tool>(gateway, 'tools');
    if (tools.length > 0 || performance.now() > until) return tools;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function listed<Entry>(gateway: RawClient, list: string): Promise<readonly Entry[]> {
  const { value } = await gateway.request(`${list}/list`);
  return value.result?.[list] ?? [];
}

/** The calls that the scenario asks for, if it does; otherwise one call of each tool. */
function callsOf(tools: readonly Tool[]): readonly Call[] {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as { readonly toolCalls?: readonly Call[] };
  return context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
}

function argumentsFor({ name, inputSchema }: Tool, tools: readonly Tool[]): unknown {
  if (name === ECHO_TOOL) return { schema: tools.find((tool) => tool.name === ECHOED_TOOL)?.inputSchema };
  return sampleOf(inputSchema);
}
