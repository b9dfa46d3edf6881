import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import type { CallContext, CallingClient, ResourceBytes, ResourceEntry, WorkflowResources } from '../define.ts';

const URI = /^webview:\/\/screenshots\/([\da-f]{32})$/;
const KEPT_OF_A_CLIENT = 5;
const KEPT_BYTES = 64 * 1_048_576;
const NONE: readonly ResourceEntry[] = [];

interface Kept extends ResourceBytes {
  readonly owner: string;
}

/** Large screenshots, each for the client that took it: the newest few, until the client has gone. */
export class Screenshots implements WorkflowResources {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();

  readonly template = {
    uriTemplate: 'webview://screenshots/{id}',
    name: 'webview-screenshot',
    title: 'Screenshot',
    description: 'A large screenshot that webview_screenshot has linked to; only for the client that took it',
    mimeType: 'image/png',
  };

  /** Keeps a screenshot. @returns its uri */
  add(owner: string, { mimeType, blob }: ResourceBytes): string {
    const uri = `webview://screenshots/${randomBytes(16).toString('hex')}`;
    this.#kept.set(uri, { owner, mimeType, blob });
    this.#makeRoom(owner);
    return uri;
  }

  forget(owner: string): void {
    for (const [uri, kept] of this.#kept) if (kept.owner === owner) this.#kept.delete(uri);
  }

  list(): readonly ResourceEntry[] {
    return NONE;
  }

  owns(uri: string): boolean {
    return URI.test(uri);
  }

  isFor(uri: string, { id }: CallingClient): boolean {
    return this.#kept.get(uri)?.owner === id;
  }

  async read(uri: string, { client }: CallContext): Promise<ResourceBytes> {
    const kept = this.#kept.get(uri);
    if (kept === undefined || kept.owner !== client.id)
      throw new GatewayError('UNKNOWN_RESOURCE', `There is no screenshot ${uri} (any more): take a new one`);
    return { mimeType: kept.mimeType, blob: kept.blob };
  }

  async suggest(): Promise<readonly string[]> {
    return [];
  }

  #makeRoom(owner: string): void {
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    for (const [uri] of own.slice(0, Math.max(0, own.length - KEPT_OF_A_CLIENT))) this.#kept.delete(uri);
    let bytes = [...this.#kept.values()].reduce((sum, { blob }) => sum + blob.length, 0);
    for (const [uri, { blob }] of this.#kept) {
      if (bytes <= KEPT_BYTES) break;
      this.#kept.delete(uri);
      bytes -= blob.length;
    }
  }
}
