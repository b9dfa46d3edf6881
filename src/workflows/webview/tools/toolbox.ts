import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { type NavigateAnswer, type NavigateOptions, navigate } from '../../../browser/actions/navigate.ts';
import { CdpError } from '../../../browser/cdp/cdp-error.ts';
import { addressDenied, browserFailed } from '../../../browser/failure.ts';
import type { Page } from '../../../browser/page/page.ts';
import type { Visit } from '../../../browser/visits/visit.ts';
import type { Visits } from '../../../browser/visits/visits.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { WorkspaceSettings } from '../../../core/settings/workspace-settings.ts';
import { orAfter } from '../../../core/timing/or-after.ts';
import type { Guard } from '../../../workspace/protection/guard.ts';
import type { CallContext, ToolAnnotations } from '../../define.ts';
import type { ClientTurns } from '../client-turns.ts';
import type { WebviewOptions } from '../options.ts';
import type { Screenshots } from '../screenshots.ts';
import { unlessOverdue } from './unless-overdue.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  readonly visits: Visits;
  readonly options: WebviewOptions;
  readonly screenshots: Screenshots;
  readonly turns: ClientTurns;
  readonly workspace: WorkspaceSettings;
  readonly guard: () => Guard;
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** A page may do anything when it is used, with every account that its user has logged in to. */
export const ACTS: ToolAnnotations = { ...READS, readOnlyHint: false, destructiveHint: true, idempotentHint: false };

export const target = z
  .string()
  .min(1)
  .max(2_000)
  .describe('CSS selector, or the id of an element from webview_snapshot, such as e12');

export const success = z.object({ success: z.boolean() });

/** Sentences about what else happened, where something did. */
export const events = z
  .array(z.string())
  .optional()
  .describe('Events on the page in the meantime: dialogs and how they were answered, pop-ups, downloads');

/** An action that is out of time says what it was waiting for, unless the browser does not answer at all. */
const GRACE_MS = 2_000;

type PageWork<T> = (page: Page, signal: AbortSignal) => Promise<T>;
type VisitWork<T> = (visit: Visit, signal: AbortSignal) => Promise<T>;
type Happened = { events?: string[] };

/**
 * Reads something of the client's page.
 * @param timeoutMs the time it may take; that of the client's webview_connect if missing
 * @throws GatewayError if the client has no page, or the page does not answer in time
 */
export function onPage<T>(toolbox: Toolbox, context: CallContext, work: PageWork<T>, timeoutMs?: number): Promise<T> {
  return within(toolbox, context, withOpenPage(work), timeoutMs);
}

/** Changes something on the client's page. Adds to the result what else happened. @throws as `onPage` */
export function actOnPage<T extends object>(
  toolbox: Toolbox,
  context: CallContext,
  work: PageWork<T>,
): Promise<T & Happened> {
  return act(toolbox, context, withOpenPage(work));
}

/** Does something in the client's browser, one call after the other, so that keys of two calls do not mix. @throws as `onPage` */
export async function act<T extends object>(
  toolbox: Toolbox,
  context: CallContext,
  work: VisitWork<T>,
): Promise<T & Happened> {
  const visit = toolbox.visits.get(context.client.id);
  const end = await toolbox.turns.next(context.client.id);
  try {
    const result = await within(toolbox, context, work);
    return withEvents(result, takeEvents(visit));
  } finally {
    end();
  }
}

/** The current page may have gone by what was done. */
function takeEvents(visit: Visit): readonly string[] {
  try {
    return visit.page.events.take();
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

function withEvents<T extends object>(result: T, events: readonly string[]): T & Happened {
  return events.length === 0 ? result : { ...result, events: [...events] };
}

/** Opens an address in the current tab. @throws GatewayError if it may not be opened; as `navigate` */
export async function openAddress(
  { visits }: Toolbox,
  page: Page,
  url: string,
  options: NavigateOptions,
): Promise<NavigateAnswer> {
  // The browser does not ask the guard about its own pages, such as chrome://settings.
  const verdict = await visits.rules.check(url);
  if (!verdict.allowed) throw addressDenied(url, verdict.why);
  return navigate(page, url, options);
}

function withOpenPage<T>(work: PageWork<T>): VisitWork<T> {
  return async ({ page }, signal) => {
    page.requireOpen();
    return work(page, signal);
  };
}

async function within<T>(toolbox: Toolbox, context: CallContext, work: VisitWork<T>, timeoutMs?: number): Promise<T> {
  const visit = toolbox.visits.get(context.client.id);
  const ms = timeoutMs ?? visit.timeoutMs;
  const signal = orAfter(context.signal, ms);
  // Each frame of a page is read at the same time.
  setMaxListeners(0, signal);
  try {
    context.signal.throwIfAborted(); // while it waited for its turn
    return await unlessOverdue(work(visit, signal), signal, GRACE_MS);
  } catch (error) {
    if (context.signal.aborted) throw error;
    if (signal.aborted && error === signal.reason) throw late(ms);
    throw error instanceof CdpError ? refused(visit, error) : error;
  }
}

function late(ms: number): Error {
  const message = `The page did not answer within ${ms / 1_000} s: it may be busy, or wait for a server. Try again, or set "timeout" of webview_connect`;
  return browserFailed(message, undefined, 'unknown');
}

function refused({ page }: Visit, error: CdpError): Error {
  page.requireOpen();
  return browserFailed(`The browser refused: ${error.message}`, error, 'unknown');
}
