import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import type { LocalClient, Progress } from './local-client.ts';

/** The key of `_meta` for the client's working folder. */
const FOLDER_KEY = 'viaduct/cwd';

interface ToolResult {
  readonly structuredContent?: JsonObject;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

/**
 * Calls a tool of a workflow in a folder. Returns its structured result.
 * @throws Error with the words of a result that is an error; RequestError for an error answer
 */
export async function callTool(
  client: LocalClient,
  name: string,
  args: JsonObject,
  folder: string,
  onProgress?: (progress: Progress) => void,
): Promise<JsonObject> {
  const params = { name, arguments: args, _meta: { [FOLDER_KEY]: folder } };
  const result = (await client.request('tools/call', params, onProgress)) as ToolResult;
  const text = result.content?.find(({ type }) => type === 'text')?.text ?? '';
  if (result.isError === true) throw new Error(text);
  return result.structuredContent ?? (JSON.parse(text) as JsonObject);
}
