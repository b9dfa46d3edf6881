import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectClient } from '../../support/clients/era-clients.ts';
import { BIN, freshHome, writeConfig } from '../../support/gateway.ts';
import { shared } from '../../support/shared.ts';

const CAPTURE = path.resolve(process.env.VIADUCT_SHARED ?? '../shared', 'data/lists/go-ai-tools.json');
const WORKFLOWS = ['files', 'language', 'rag', 'metrics', 'process', 'live', 'ml', 'webview', 'ide'];

/** All tools of go-ai. */
const NAMES = `
  file_read file_write file_edit file_delete file_rename file_exists dir_list dir_create
  lang_detect lang_list
  metrics_record metrics_query
  rag_query rag_ingest rag_collections
  ml_generate ml_score ml_probe ml_status ml_backends
  process_start process_stop process_kill process_list process_output process_input
  ws_start ws_info
  webview_connect webview_disconnect webview_navigate webview_click webview_type webview_query webview_console
  webview_eval webview_screenshot webview_wait
  ide_chat_send ide_chat_history ide_session_list ide_session_create ide_plan_status
  ide_build_status ide_build_list ide_build_logs
  ide_dashboard_overview ide_dashboard_activity ide_dashboard_metrics
`
  .trim()
  .split(/\s+/);

/** Where an input schema of ours differs on purpose, and why. */
const DELIBERATE: Readonly<Record<string, string>> = {
  'webview_connect.debug_url is not required':
    'without it, the gateway starts a browser if the call or the config asks for one',
  'webview_wait.selector is required':
    "so says the seed's document; the real system refuses a call without it only when it runs",
};

interface Tool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
}

const listed = shared(async (): Promise<readonly Tool[]> => {
  const config = writeConfig({ enabledWorkflows: WORKFLOWS });
  const env = freshHome() as Record<string, string>;
  const client = await connectClient('v1', 'agent', {
    command: process.execPath,
    args: [BIN, 'stdio', '--config', config],
    env,
  });
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
});

/** Says in what a schema of ours asks for something else than that of the real system. */
function differences({ name, inputSchema: real }: Tool, ours: Tool['inputSchema']): string[] {
  const required = new Set(ours.required);
  const wanted = new Set(real.required);
  return [
    ...Object.keys(real.properties ?? {})
      .filter((key) => !Object.hasOwn(ours.properties ?? {}, key))
      .map((key) => `${name}.${key} is missing`),
    ...[...wanted].filter((key) => !required.has(key)).map((key) => `${name}.${key} is not required`),
    ...[...required].filter((key) => !wanted.has(key)).map((key) => `${name}.${key} is required`),
  ];
}

test('a client sees all 49 tools of go-ai', async () => {
  const names = new Set((await listed()).map(({ name }) => name));
  expect(NAMES).toHaveLength(49);
  expect(NAMES.filter((name) => !names.has(name))).toEqual([]);
});

test.skipIf(!existsSync(CAPTURE))(`their arguments are those of the real system (needs ${CAPTURE})`, async () => {
  const { tools: real } = JSON.parse(readFileSync(CAPTURE, 'utf8')) as { tools: Tool[] };
  expect(real.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  const schemas = new Map((await listed()).map(({ name, inputSchema }) => [name, inputSchema]));
  const found = real.flatMap((tool) => differences(tool, schemas.get(tool.name)!));
  expect(found.sort()).toEqual(Object.keys(DELIBERATE).sort());
});
