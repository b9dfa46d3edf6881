import type { Provider } from '../../core/providers/provider.ts';
import type { UpstreamControl } from '../../core/providers/provider-status.ts';

/** An upstream as the gateway handles it. */
export type RunningUpstream = Provider &
  UpstreamControl & {
    start(): void;
    stop(reason: string): Promise<void>;
    onPinsChanged(): void;
    /** The rules of its entry are others now; absent if each change makes another one of it. */
    onRulesChanged?(): void;
    onCredentialsChanged(): Promise<void>;
  };
