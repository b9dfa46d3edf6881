import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callTool } from '../../gateway/client/call-tool.ts';
import type { LocalClient } from '../../gateway/client/local-client.ts';
import type { OpenTasks } from '../../workflows/checkpoint/bundle/open-tasks.ts';

export interface SaveOutcome {
  readonly saved: boolean;
  readonly reason?: string;
}

export interface Loaded {
  /** `undefined` if nothing was saved yet. */
  readonly bundle: JsonObject | undefined;
  readonly openTasks: OpenTasks | undefined;
}

/** The agent in whose name the tools are used, and its folder. */
export interface AgentFacts {
  readonly ide: string;
  /** The project's folder. */
  readonly folder: string;
}

/** The checkpoint tools, used in the name of an agent: the gateway sees a client of this name in this folder. */
export class CheckpointClient {
  readonly agent: AgentFacts;
  readonly #client: LocalClient;

  /** The client must have been introduced as the agent. */
  constructor(client: LocalClient, agent: AgentFacts) {
    this.#client = client;
    this.agent = agent;
  }

  async project(): Promise<string> {
    return String((await this.#call('get_project_id', { cwd: this.agent.folder })).project_id);
  }

  async load(projectId: string): Promise<Loaded> {
    const { bundle, open_tasks } = await this.#call('load_checkpoint', { project_id: projectId });
    return {
      bundle: (bundle as JsonObject | null | undefined) ?? undefined,
      openTasks: open_tasks as OpenTasks | undefined,
    };
  }

  async save(projectId: string, patch: JsonObject, force: boolean): Promise<SaveOutcome> {
    const args = { project_id: projectId, source_ide: this.agent.ide, bundle_patch: patch, force };
    return (await this.#call('save_checkpoint', args)) as unknown as SaveOutcome;
  }

  #call(name: string, args: JsonObject): Promise<JsonObject> {
    return callTool(this.#client, name, args, this.agent.folder);
  }
}
