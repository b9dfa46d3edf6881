import type { JsonObject } from '../../core/checkpoint-store.ts';
import { LocalClient } from '../local-client.ts';
import { VERSION } from '../version.ts';

const PROTOCOL = '2025-11-25';

interface ToolResult {
  readonly structuredContent?: JsonObject;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export interface SaveOutcome {
  readonly saved: boolean;
  readonly reason?: string;
}

/** The checkpoint tools, used in the name of an agent: the gateway sees a client of this name. */
export class CheckpointClient {
  readonly #client: LocalClient;
  readonly #ide: string;

  private constructor(client: LocalClient, ide: string) {
    this.#client = client;
    this.#ide = ide;
  }

  static async connect(client: LocalClient, ide: string): Promise<CheckpointClient> {
    const clientInfo = { name: ide, version: VERSION };
    await client.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    client.notify('notifications/initialized');
    return new CheckpointClient(client, ide);
  }

  async projectOf(cwd: string): Promise<string> {
    return String((await this.#call('get_project_id', { cwd })).project_id);
  }

  /** `undefined` where nothing was saved yet. */
  async load(projectId: string): Promise<JsonObject | undefined> {
    const { bundle } = await this.#call('load_checkpoint', { project_id: projectId });
    return (bundle as JsonObject | null | undefined) ?? undefined;
  }

  async save(projectId: string, patch: JsonObject, force: boolean): Promise<SaveOutcome> {
    const args = { project_id: projectId, source_ide: this.#ide, bundle_patch: patch, force };
    return (await this.#call('save_checkpoint', args)) as unknown as SaveOutcome;
  }

  async #call(name: string, args: JsonObject): Promise<JsonObject> {
    const result = (await this.#client.request('tools/call', { name, arguments: args })) as ToolResult;
    const text = result.content?.find(({ type }) => type === 'text')?.text ?? '';
    if (result.isError === true) throw new Error(text);
    return result.structuredContent ?? (JSON.parse(text) as JsonObject);
  }
}
