import { globTest, MAX_NAME_LENGTH, nameFilter } from './name-filter.ts';

/** The parts of the gateway that a client may see and use, as a profile or a token says. Unknown names allow nothing. */
export interface Permissions {
  /** Keys of upstreams. Those that a workflow brings along come with the workflow. */
  readonly upstreams: readonly string[] | 'all';
  readonly workflows: readonly string[] | 'all';
  readonly tools: ToolPermissions;
  /**
   * Lists of globs, each of which must match the id of a project whose checkpoints, tasks and metrics they use. All projects where
   * this is absent.
   */
  readonly projects?: readonly (readonly string[])[];
}

/** Globs on the names that clients see. Deny wins. */
export interface ToolPermissions {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** More lists, each of which must allow a tool as well: what two globs have in common is no glob. */
  readonly alsoAllow?: readonly (readonly string[])[];
}

export const FULL_PERMISSIONS: Permissions = { upstreams: 'all', workflows: 'all', tools: { allow: ['*'], deny: [] } };

/** The facts about a provider that decide who may see it. */
export interface Seen {
  readonly kind: 'upstream' | 'workflow';
  readonly id: string;
  /** The workflow that brings this upstream along. */
  readonly workflow?: string | undefined;
}

/** Answers what an access allows. */
export interface Scope {
  /** True if it allows everything: all providers, tools and projects. */
  readonly isWhole: boolean;
  allowsProvider(provider: Seen): boolean;
  /** Returns true if a tool of a visible provider is visible, too; by the name that clients know. */
  allowsTool(publicName: string): boolean;
  /**
   * Returns whether the data of a project may be used. `undefined` stands for data that names no project: only those who see all
   * projects may use it.
   */
  allowsProject(projectId: string | undefined): boolean;
}

/** Returns the permissions that both allow. */
export function intersect(a: Permissions, b: Permissions): Permissions {
  const { tools } = a;
  const allowLists = [...allowListsOf(tools), ...allowListsOf(b.tools)].filter((globs) => !globs.includes('*'));
  const [allow = ['*'], ...alsoAllow] = allowLists;
  const projects = [...(a.projects ?? []), ...(b.projects ?? [])];
  return {
    upstreams: namesInBoth(a.upstreams, b.upstreams),
    workflows: namesInBoth(a.workflows, b.workflows),
    tools: { allow, deny: [...tools.deny, ...b.tools.deny], ...(alsoAllow.length > 0 && { alsoAllow }) },
    ...(projects.length > 0 && { projects }),
  };
}

/** Returns an access, compiled once for the many names that are held against it. */
export function scopeOf(access: Permissions): Scope {
  const upstreams = nameTest(access.upstreams);
  const workflows = nameTest(access.workflows);
  const tools = allowListsOf(access.tools).map((allow) => nameFilter({ allow, deny: access.tools.deny }));
  const projects = (access.projects ?? []).map((globs) => globTest(globs, MAX_NAME_LENGTH, false));
  return {
    isWhole: isWhole(access),
    allowsProvider({ kind, id, workflow }) {
      if (workflow !== undefined) return workflows(workflow);
      return kind === 'workflow' ? workflows(id) : upstreams(id);
    },
    allowsTool: (publicName) => tools.every((passes) => passes(publicName)),
    allowsProject(projectId) {
      if (projectId === undefined) return projects.length === 0;
      return projects.every((matches) => matches(projectId));
    },
  };
}

function isWhole({ upstreams, workflows, tools, projects = [] }: Permissions): boolean {
  const hasAllProviders = upstreams === 'all' && workflows === 'all';
  const hasAllTools = tools.deny.length === 0 && allowListsOf(tools).every((globs) => globs.includes('*'));
  return hasAllProviders && hasAllTools && projects.length === 0;
}

function allowListsOf({ allow, alsoAllow = [] }: ToolPermissions): (readonly string[])[] {
  return [allow, ...alsoAllow];
}

function namesInBoth(a: Permissions['upstreams'], b: Permissions['upstreams']): Permissions['upstreams'] {
  if (a === 'all') return b;
  return b === 'all' ? a : a.filter((name) => b.includes(name));
}

function nameTest(names: Permissions['upstreams']): (name: string) => boolean {
  if (names === 'all') return () => true;
  const allowed = new Set(names);
  return (name) => allowed.has(name);
}
