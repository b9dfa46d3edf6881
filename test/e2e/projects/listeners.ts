import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { tokenOf } from '../../support/auth/tokens.ts';
import { eventsOf, HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient, messagesOf } from '../../support/http/modern-http-client.ts';

interface Change {
  readonly method: string;
  readonly uri: string | undefined;
}

type Listener = Awaited<ReturnType<typeof changesFor>>;

/** The messages of a legacy event stream. */
export async function* dataOf(response: IncomingMessage) {
  for await (const { data } of eventsOf(response)) if (data !== undefined) yield data;
}

/** Two clients of one token, one of each era, that want to hear of all changes of resources. */
export async function changesFor(url: string, { headers }: ReturnType<typeof tokenOf>, uris: readonly string[]) {
  const session = await HttpSession.open(url, {}, '2025-11-25', headers);
  const legacy = await session.listen();
  for (const uri of uris) await session.post(session.request('resources/subscribe', { uri }));
  const wants = { resourcesListChanged: true, resourceSubscriptions: uris };
  const open = new ModernHttpClient(url).open('subscriptions/listen', { notifications: wants }, { headers });
  const modern = await open.response;
  const seen = { legacy: [] as Change[], modern: [] as Change[] };
  const collect = async (messages: AsyncGenerator<any>, into: Change[]) => {
    for await (const { method, params } of messages) into.push({ method, uri: params?.uri });
  };
  const acknowledged = 'notifications/subscriptions/acknowledged';
  const reading = [collect(dataOf(legacy), seen.legacy), collect(messagesOf(modern), seen.modern)];
  for (const one of reading) one.catch(() => undefined);
  await expect.poll(() => seen.modern.some(({ method }) => method === acknowledged)).toBe(true);
  const changes = (list: Change[]) => list.filter(({ method }) => method !== acknowledged);
  return {
    seen: () => [...changes(seen.legacy), ...changes(seen.modern)],
    /** Resolves when both clients have heard of such a change. */
    until: (fits: (method: string, uri: string | undefined) => boolean) =>
      expect
        .poll(() => [seen.legacy, seen.modern].every((list) => list.some(({ method, uri }) => fits(method, uri))), {
          timeout: 30_000,
        })
        .toBe(true),
    close: () => {
      legacy.destroy();
      open.leave();
    },
  };
}

export function closeListeners(listeners: readonly Listener[]): void {
  for (const one of listeners) one.close();
}
