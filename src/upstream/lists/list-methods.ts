import type { EntryKind } from '../../core/providers/provider.ts';

interface ListMethod {
  readonly method: string;
  /** The member of the result that has the entries. */
  readonly member: string;
  /** The capability that says that there is a list at all. */
  readonly capability: string;
}

/** The method that lists each kind. */
export const LISTS: Readonly<Record<EntryKind, ListMethod>> = {
  tool: { method: 'tools/list', member: 'tools', capability: 'tools' },
  prompt: { method: 'prompts/list', member: 'prompts', capability: 'prompts' },
  resource: { method: 'resources/list', member: 'resources', capability: 'resources' },
  template: { method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources' },
};

export const ENTRY_KINDS = Object.keys(LISTS) as EntryKind[];

type Capabilities = Readonly<Record<string, unknown>>;

/** Returns whether a server with these capabilities has such a list. Some servers declare nothing and have tools all the same. */
export function isOffered(kind: EntryKind, capabilities: Capabilities): boolean {
  return LISTS[kind].capability in capabilities || (kind === 'tool' && Object.keys(capabilities).length === 0);
}

/** Returns whether such a server says when the list changes. */
export function isAnnounced(kind: EntryKind, capabilities: Capabilities): boolean {
  const capability = capabilities[LISTS[kind].capability] as { listChanged?: unknown } | undefined;
  return capability?.listChanged === true;
}

/** Returns the lists that a notice of a change is about; `undefined` for any other notification. */
export function changedBy(notification: string): readonly EntryKind[] | undefined {
  switch (notification) {
    case 'notifications/tools/list_changed':
      return ['tool'];
    case 'notifications/prompts/list_changed':
      return ['prompt'];
    case 'notifications/resources/list_changed':
      return ['resource', 'template'];
    default:
      return undefined;
  }
}
