/** What a built-in tool does to this machine, and how it is called when nothing is wrong. */
export interface BuiltInTool {
  /**
   * `nothing`: it only tells something. `files`: it reads or changes files by the paths that it is given. `database`: it
   * writes rows of the gateway's database. `programs`: it starts, feeds or ends programs. `connections`: it opens or ends
   * connections.
   */
  readonly does: 'nothing' | 'files' | 'database' | 'programs' | 'connections';
  /** Arguments that fit; each text in them, and each other text that the tool takes, is replaced by a path in turn. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Only listed while the program of its server runs. */
  readonly isOnlyConnected?: boolean;
}

const project_id = 'attacked';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Every tool of every workflow. A new one must be added: the tests attack each of them. */
export const BUILT_IN_TOOLS: Readonly<Record<string, BuiltInTool>> = {
  viaduct_status: { does: 'nothing', args: {} },
  viaduct_why: { does: 'nothing', args: { tool: 'file_read' } },

  save_checkpoint: {
    does: 'database',
    args: {
      project_id,
      source_ide: 'generic',
      force: true,
      bundle_patch: { task: { title: 'task' }, workspace: { open_files: ['plain'], active_file: 'plain' } },
    },
  },
  load_checkpoint: { does: 'nothing', args: { project_id } },
  append_decision: { does: 'database', args: { project_id, summary: 'decision', rationale: 'because' } },
  append_todo: { does: 'database', args: { project_id, content: 'todo' } },
  update_todo: { does: 'database', args: { project_id, todo_id: 'id', status: 'done' } },
  complete_todo: { does: 'database', args: { project_id, todo_id: 'id' } },
  list_checkpoints: { does: 'nothing', args: { project_id } },
  diff_checkpoints: { does: 'nothing', args: { project_id, from: 1, to: 1 } },
  list_projects: { does: 'nothing', args: {} },
  get_project_id: { does: 'nothing', args: { cwd: '/' } },
  delete_project: { does: 'database', args: { project_id, confirm: true } },

  file_read: { does: 'files', args: { path: 'plain' } },
  file_write: { does: 'files', args: { path: 'plain', content: 'text' } },
  file_edit: { does: 'files', args: { path: 'plain', old_string: 'e', new_string: 'evil', replace_all: true } },
  file_delete: { does: 'files', args: { path: 'nothing' } },
  file_rename: { does: 'files', args: { oldPath: 'plain', newPath: 'plain' } },
  file_exists: { does: 'files', args: { path: 'plain' } },
  dir_list: { does: 'files', args: { path: '.' } },
  dir_create: { does: 'files', args: { path: 'folder' } },
  workspace_undo: { does: 'files', args: { scope: 'session' } },

  process_start: {
    does: 'programs',
    args: { command: 'true', args: ['x'], env: ['A=x'], dir: '.', build: { repo: 'x', branch: 'x' } },
  },
  process_stop: { does: 'programs', args: { id: 'proc-0' } },
  process_kill: { does: 'programs', args: { id: 'proc-0' } },
  process_list: { does: 'nothing', args: {} },
  process_output: { does: 'nothing', args: { id: 'proc-0' } },
  process_input: { does: 'programs', args: { id: 'proc-0', input: 'x' } },

  webview_connect: { does: 'connections', args: { debug_url: 'http://127.0.0.1:9' } },
  webview_disconnect: { does: 'connections', args: {} },
  webview_navigate: { does: 'connections', args: { url: 'http://127.0.0.1:9/' } },
  webview_snapshot: { does: 'nothing', args: { selector: 'p' } },
  webview_click: { does: 'connections', args: { selector: 'p' } },
  webview_type: { does: 'connections', args: { selector: 'p', text: 'x' } },
  webview_fill: { does: 'files', args: { fields: [{ selector: 'p', value: 'plain' }] } },
  webview_query: { does: 'nothing', args: { selector: 'p' } },
  webview_wait: { does: 'nothing', args: { selector: 'p', timeout: 1 } },
  webview_console: { does: 'nothing', args: {} },
  webview_network: { does: 'nothing', args: { filter: 'x' } },
  webview_screenshot: { does: 'nothing', args: {} },
  webview_tabs: { does: 'connections', args: { action: 'list' } },
  webview_eval: { does: 'connections', args: { script: '1' } },

  ws_start: { does: 'connections', args: { addr: '127.0.0.1:0' } },
  ws_info: { does: 'nothing', args: {} },
  lang_detect: { does: 'nothing', args: { path: 'plain' } },
  lang_list: { does: 'nothing', args: {} },
  metrics_record: { does: 'database', args: { type: 'build', agent_id: 'a', repo: 'r', data: { file: 'plain' } } },
  metrics_query: { does: 'nothing', args: { since: '7d' } },

  search_code: { does: 'nothing', args: { query: 'evil' } },
  index_repository: { does: 'database', args: { path: '/', name: 'x' } },
  start_indexing_background: { does: 'database', args: { repo_path: '/' } },
  get_indexing_status: { does: 'nothing', args: { job_id: UNKNOWN } },
  set_working_directory: { does: 'database', args: { directory: '/' } },
  code_outline: { does: 'nothing', args: { path: 'plain' } },
  create_task: { does: 'database', args: { project_id, title: 'task' } },
  update_task: { does: 'database', args: { task_id: UNKNOWN } },
  get_task: { does: 'nothing', args: { task_id: UNKNOWN } },
  list_tasks: { does: 'nothing', args: { project_id } },
  rag_query: { does: 'nothing', args: { question: 'evil' } },
  rag_ingest: { does: 'files', args: { path: 'plain' } },
  rag_collections: { does: 'nothing', args: {} },
  ml_generate: { does: 'nothing', args: { prompt: 'evil' } },
  ml_score: { does: 'nothing', args: { prompt: 'evil', response: 'plain' } },
  ml_probe: { does: 'nothing', args: { categories: 'word' } },
  ml_status: { does: 'nothing', args: {} },
  ml_backends: { does: 'nothing', args: {} },

  ide_chat_send: { does: 'database', args: { sessionId: 'none', message: 'plain' } },
  ide_chat_history: { does: 'nothing', args: { sessionId: 'none' } },
  ide_session_list: { does: 'nothing', args: {} },
  ide_session_create: { does: 'database', args: { name: 'session' } },
  ide_plan_status: { does: 'nothing', args: { sessionId: 'none' } },
  ide_build_status: { does: 'nothing', args: { buildId: 'none' } },
  ide_build_list: { does: 'nothing', args: { repo: 'plain' } },
  ide_build_logs: { does: 'nothing', args: { buildId: 'none' } },
  ide_build_start: { does: 'programs', args: { name: 'nothing' } },
  ide_build_stop: { does: 'programs', args: { buildId: 'none' } },
  ide_dashboard_overview: { does: 'nothing', args: {} },
  ide_dashboard_activity: { does: 'nothing', args: {} },
  ide_dashboard_metrics: { does: 'nothing', args: { period: '24h' } },

  xcode_tools_bridge_status: { does: 'nothing', args: {} },
  xcode_tools_bridge_sync: { does: 'connections', args: {} },
  xcode_tools_bridge_disconnect: { does: 'connections', args: {}, isOnlyConnected: true },
  vscode_bridge_status: { does: 'nothing', args: {} },
  vscode_bridge_sync: { does: 'connections', args: {} },
  vscode_bridge_disconnect: { does: 'connections', args: {}, isOnlyConnected: true },
};

/** The arguments with each of their texts, and each text that the schema has beside, replaced by another one in turn. */
export function* replacements(
  args: Readonly<Record<string, unknown>>,
  schema: { readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: unknown }>> },
  text: string,
): Generator<Record<string, unknown>> {
  for (const [name, { type, enum: choices }] of Object.entries(schema.properties ?? {}))
    if (type === 'string' && choices === undefined && args[name] === undefined) yield { ...args, [name]: text };
  yield* inside(args, text) as Generator<Record<string, unknown>>;
}

function* inside(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) for (const next of inside(item, text)) yield value.with(index, next);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value))
      for (const next of inside(item, text)) yield { ...value, [name]: next };
}
