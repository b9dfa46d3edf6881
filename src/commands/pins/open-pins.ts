import { visitDaemon } from '../../gateway/client/visit-daemon.ts';
import { type PinLine, type PinQuery, PinReview } from '../../gateway/providers/pin-review.ts';
import { openPinStore } from '../../gateway/providers/pin-store.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';

/** The pins of a config, of a running gateway or in its files. */
export interface OpenPins {
  list(query: PinQuery): Promise<PinLine[]>;
  accept(upstream: string, tools: readonly string[], shown?: readonly string[]): Promise<string[]>;
  close(): void;
}

/** Opens the pins through the running gateway of this config, so that it knows at once, or else in the files. Starts no upstream. */
export async function openPins(settings: VisitorSettings): Promise<OpenPins> {
  const daemon = await visitDaemon(settings, { name: 'viaduct pins' });
  if (daemon === undefined) {
    const desk = new PinReview(openPinStore(settings));
    return {
      list: async (query) => desk.list(query),
      accept: async (upstream, tools, shown) => desk.accept(upstream, tools, shown),
      close: () => undefined,
    };
  }
  const { client } = daemon;
  return {
    async list(query) {
      return ((await client.request('viaduct/pins', { ...query })) as { pins: PinLine[] }).pins;
    },
    async accept(upstream, tools, shown) {
      const params = { upstream, tools, ...(shown !== undefined && { shown }) };
      return ((await client.request('viaduct/pins/accept', params)) as { accepted: string[] }).accepted;
    },
    close: () => client.close(),
  };
}
