import { type Descriptor, EMPTY_LISTING, type Listing } from '../core/providers/provider.ts';
import type { ResourceEntry, ToolDefinition, Workflow } from './define.ts';
import { describePrompt, describeResource, describeTemplate, describeTool } from './descriptors.ts';

/** One object, so that a listing without resources stays the same. */
const NO_RESOURCES: readonly ResourceEntry[] = [];

/** The lists of a workflow: the same object for as long as the workflow offers the same. */
export class WorkflowListing {
  readonly #workflow: Pick<Workflow, 'tools' | 'prompts' | 'resources'>;
  readonly #described = new Map<object, Descriptor>();
  #listed: { readonly tools: readonly ToolDefinition[]; readonly resources: readonly ResourceEntry[] } | undefined;
  #listing: Listing = EMPTY_LISTING;

  constructor(workflow: Pick<Workflow, 'tools' | 'prompts' | 'resources'>) {
    this.#workflow = workflow;
  }

  /** Returns what the workflow offers now. */
  now(): Listing {
    const tools = this.#workflow.tools();
    const resources = this.#workflow.resources?.list() ?? NO_RESOURCES;
    if (this.#listed === undefined || !sameItems(tools, this.#listed.tools) || resources !== this.#listed.resources) {
      this.#listing = this.#list(tools, resources);
      this.#listed = { tools, resources };
    }
    return this.#listing;
  }

  #list(tools: readonly ToolDefinition[], resources: readonly ResourceEntry[]): Listing {
    const { prompts = [], resources: all } = this.#workflow;
    return {
      tool: tools.map((tool) => this.#describe(tool, describeTool)),
      prompt: prompts.map((prompt) => this.#describe(prompt, describePrompt)),
      resource: resources.map(describeResource),
      template: all === undefined ? [] : [this.#describe(all, describeTemplate)],
    };
  }

  #describe<T extends object>(part: T, describe: (part: T) => Descriptor): Descriptor {
    let descriptor = this.#described.get(part);
    if (descriptor === undefined) {
      descriptor = describe(part);
      this.#described.set(part, descriptor);
    }
    return descriptor;
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
