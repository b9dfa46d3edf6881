import type { Scope } from '../../core/access/permissions.ts';
import { GatewayError } from '../../core/errors.ts';
import { jsonSteps } from '../../core/json/json-steps.ts';
import { PROJECT_ID } from '../../core/projects/project-id.ts';
import type { CheckpointStore } from '../../core/stores/checkpoint-store.ts';
import { coalesce } from '../../core/timing/coalesce.ts';
import { inSlices } from '../../core/timing/steps.ts';
import type { Log } from '../../telemetry/log.ts';
import type { CallingClient, ResourceEntry, WorkflowResources } from '../define.ts';
import type { Checkpoints } from './checkpoints.ts';
import { delivered } from './delivery.ts';
import { checkpointsFor } from './limited-checkpoints.ts';

const SCHEME = 'checkpoint://';
const MIME_TYPE = 'application/json';
/** Another process may have deleted the project that it changed: that is looked up, but not each time. */
const SECOND_LOOK_MS = 1_000;

export interface ProjectResourcesOptions {
  readonly checkpoints: Checkpoints;
  readonly store: CheckpointStore;
  readonly log: Log;
  onOffer(): void;
  onResourceChanged(uri: string): void;
}

/** Each project as a resource, and the news of it. */
export class ProjectResources implements WorkflowResources {
  readonly #options: ProjectResourcesOptions;
  readonly refresh: () => Promise<void>;
  #entries: readonly ResourceEntry[] = [];
  #known: ReadonlySet<string> = new Set();
  #unwatch: (() => void) | undefined;
  #secondLook: NodeJS.Timeout | undefined;
  #hasFailed = false;

  readonly template = {
    uriTemplate: `${SCHEME}{project_id}`,
    name: 'checkpoint',
    title: 'Checkpoint of a project',
    description: 'The saved state of a task: plan, decisions, todos, git state, conversation',
    mimeType: MIME_TYPE,
  };

  constructor(options: ProjectResourcesOptions) {
    this.#options = options;
    this.refresh = coalesce(() => this.#refresh());
  }

  /** Begins to listen for changes by any process. */
  start(): void {
    this.#unwatch = this.#options.store.onChange((projectId) => this.#onChange(projectId));
    void this.refresh();
  }

  stop(): void {
    this.#unwatch?.();
    clearTimeout(this.#secondLook);
  }

  list(): readonly ResourceEntry[] {
    return this.#entries;
  }

  owns(uri: string): boolean {
    return projectIn(uri) !== undefined;
  }

  isWithin(uri: string, scope: Scope): boolean {
    const projectId = projectIn(uri);
    return projectId !== undefined && scope.allowsProject(projectId);
  }

  async read(uri: string, context: Parameters<WorkflowResources['read']>[1]): Promise<string> {
    const projectId = projectIn(uri)!;
    const stored = await checkpointsFor(context.client, this.#options.checkpoints).load(projectId);
    if (stored === undefined)
      throw new GatewayError('UNKNOWN_RESOURCE', `There is no checkpoint of the project ${projectId}`);
    return (await inSlices(jsonSteps(delivered(stored, context), 2)))!;
  }

  suggest(typed: string, client: CallingClient): Promise<readonly string[]> {
    return checkpointsFor(client, this.#options.checkpoints).suggest(typed);
  }

  #onChange(projectId: string): void {
    if (!this.#known.has(projectId)) void this.refresh();
    else
      this.#secondLook ??= setTimeout(() => {
        this.#secondLook = undefined;
        void this.refresh();
      }, SECOND_LOOK_MS).unref();
    this.#options.onResourceChanged(SCHEME + projectId);
  }

  async #refresh(): Promise<void> {
    try {
      const projects = await this.#options.store.projects();
      this.#hasFailed = false;
      this.#take(projects.map(({ projectId }) => projectId).sort());
    } catch (error) {
      // Logged once: the tools report it too, to their callers.
      if (!this.#hasFailed) this.#options.log.warn({ error }, 'the list of projects could not be read');
      this.#hasFailed = true;
    }
  }

  #take(projectIds: readonly string[]): void {
    if (projectIds.length === this.#known.size && projectIds.every((id) => this.#known.has(id))) return;
    this.#known = new Set(projectIds);
    this.#entries = projectIds.map(entryFor);
    this.#options.onOffer();
  }
}

function entryFor(projectId: string): ResourceEntry {
  return {
    uri: SCHEME + projectId,
    name: projectId,
    title: `Checkpoint of ${projectId}`,
    description: `The saved state of the task in ${projectId}`,
    mimeType: MIME_TYPE,
  };
}

function projectIn(uri: string): string | undefined {
  const projectId = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : '';
  return PROJECT_ID.test(projectId) ? projectId : undefined;
}
