import { z } from 'zod';
import { browserFailed } from '../../../browser/failure.ts';
import type { Tab } from '../../../browser/visits/tab-targets.ts';
import type { Visit } from '../../../browser/visits/visit.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ACTS, act, events, openAddress, type Toolbox } from './toolbox.ts';

export function tabsTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'webview_tabs',
    title: 'Browser: tabs',
    description:
      'Lists your tabs, pop-ups included; the other webview tools work in the current one. It can also open a tab, switch to one, or close one.',
    input: z.strictObject({
      action: z.enum(['list', 'open', 'select', 'close']).default('list'),
      id: z.string().max(100).optional().describe('Tab to select or close; the current one is closed if missing'),
      url: z.string().max(20_000).optional().describe('Page to open in a new tab; empty if missing'),
    }),
    output: z.object({
      tabs: z.array(z.object({ id: z.string(), title: z.string(), url: z.string(), current: z.boolean() })),
      events,
    }),
    annotations: ACTS,
    audit: 'security',
    run: async ({ action, id, url }, context) => {
      if (action === 'select' && id === undefined)
        throw browserFailed('id is required to select a tab: action "list" shows the ids');
      return act(toolbox, context, async (visit, signal) => {
        if (action === 'open') await open(toolbox, visit, url, signal);
        if (action === 'select') await visit.selectTab(id!);
        if (action === 'close') await visit.closeTab(id ?? (await currentOf(visit)));
        return { tabs: (await visit.tabs()).map(listed) };
      });
    },
  });
}

function listed({ id, title, url, isCurrent: current }: Tab) {
  return { id, title, url, current };
}

async function open(toolbox: Toolbox, visit: Visit, url: string | undefined, signal: AbortSignal): Promise<void> {
  await visit.openTab();
  if (url !== undefined) await openAddress(toolbox, visit.page, url, { wait: 'commit', signal });
}

async function currentOf(visit: Visit): Promise<string> {
  const current = (await visit.tabs()).find(({ isCurrent }) => isCurrent);
  if (current === undefined) throw browserFailed('The current tab is closed already: select another one');
  return current.id;
}
