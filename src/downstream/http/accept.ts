import type { IncomingMessage } from 'node:http';

/** Whether a client names event streams before JSON: it then gets one, also for an answer before which nothing comes. */
export function prefersEvents({ headers: { accept = '' } }: IncomingMessage): boolean {
  const events = accept.indexOf('text/event-stream');
  const json = accept.indexOf('application/json');
  return events !== -1 && json !== -1 && events < json;
}
