import type { SharingStatus } from '../../core/providers/provider-status.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { AskingTrait } from '../events/asks/asking-trait.ts';

/** Says which clients share a process of this upstream, in words for people. */
export function sharingStatus({ share }: UpstreamEntry, asking: AskingTrait): SharingStatus {
  const asks = asking.grade !== undefined;
  return { share, asks, detail: detailOf(share, asks, asking.isUnnamed) };
}

function detailOf(share: UpstreamEntry['share'], asks: boolean, isUnnamed: boolean): string {
  const turns = isUnnamed ? ', and take turns, because it asks them' : '';
  switch (share) {
    case 'session':
      return 'each client has its own process or session';
    case 'folder':
      return `clients that work in one folder share a process or session${turns}`;
    case 'gateway':
      return `all clients share one process or session${turns}`;
    case 'auto':
      return asks
        ? 'it has asked its clients by elicitation or sampling, so each has its own process or session'
        : 'all clients share one process or session, until it asks one of them by elicitation or sampling';
  }
}
