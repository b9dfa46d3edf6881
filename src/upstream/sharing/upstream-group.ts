import { ClientRoots } from '../../core/folders/client-roots.ts';
import type { SessionObserver } from '../../core/providers/provider.ts';
import { Offer } from '../offer/offer.ts';
import { OfferingUpstream } from '../offer/offering-upstream.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';

/** Several connections to an upstream that clients see as one. Subclasses say which there are and who uses which. */
export abstract class UpstreamGroup extends OfferingUpstream implements SessionObserver {
  protected readonly offer = new Offer();
  protected readonly roots: ClientRoots;
  /** The levels that clients want, for connections that are made later. */
  protected readonly logLevels = new Map<string, string>();

  constructor(options: UpstreamOptions) {
    super(options);
    this.roots = new ClientRoots((reason) => options.log.warn({ event: 'roots' }, reason));
  }

  /** The present connections. */
  protected abstract get living(): readonly Upstream[];

  /** Returns those of them that a client uses. */
  protected abstract usedBy(clientId: string): readonly Upstream[];

  onPinsChanged(): void {
    for (const upstream of this.living) upstream.onPinsChanged();
  }

  /** The rules of its entry are others now; they hold for what is shown of a connection that has ended, too. */
  onRulesChanged(): void {
    for (const upstream of new Set([...this.living, ...this.offer.last])) upstream.onRulesChanged();
  }

  async onCredentialsChanged(): Promise<void> {
    await Promise.all(this.living.map((upstream) => upstream.onCredentialsChanged()));
  }

  onOutputMisfit(toolName: string, problem: string): void {
    for (const upstream of this.living) upstream.onOutputMisfit(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.logLevels.set(sessionId, level);
    for (const upstream of this.usedBy(sessionId)) upstream.setLogLevel(sessionId, level);
  }

  onRootsChanged(sessionId: string): void {
    this.roots.forget(sessionId);
  }

  /** The calls of one modern client may come under ids of their own; what is held for such an id is given up everywhere. */
  onSessionEnded(sessionId: string): void {
    this.logLevels.delete(sessionId);
    this.roots.forget(sessionId);
    for (const upstream of this.living) upstream.onSessionEnded(sessionId);
  }
}

/** Reads the lists of a connection that may be in trouble for good. Never rejects. */
export async function syncQuietly(upstream: Upstream): Promise<void> {
  await upstream.sync().catch(() => undefined);
}
