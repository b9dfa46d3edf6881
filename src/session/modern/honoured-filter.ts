import type { CatalogueView } from '../../catalogue/catalogue-view.ts';
import type { TaskWatcher } from '../../core/providers/provider.ts';
import { FLAG_OF, type ListenFilter } from '../../era/modern/subscription.ts';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.ts';

/** The acknowledgement waits this long for the upstreams; resources to which they have not agreed by then are left out of it. */
const AGREE_MS = 5_000;

/** The parts of the gateway that a filter is held against. */
export interface FilterGround {
  readonly catalogue: CatalogueView;
  readonly subscriptions: ClientSubscriptions;
  readonly watcher: TaskWatcher;
}

/**
 * Returns as much of a filter as the stream will tell. It is a promise where upstreams are asked for tasks or resources: a
 * client need not ask for what it hears about, so it must miss nothing while the upstreams are being told.
 */
export function honouredFilter(filter: ListenFilter, ground: FilterGround): ListenFilter | Promise<ListenFilter> {
  const { taskIds, resourceSubscriptions } = filter;
  if (taskIds === undefined && resourceSubscriptions === undefined) return flagsOf(filter);
  return agreedFilter(filter, ground);
}

async function agreedFilter(filter: ListenFilter, ground: FilterGround): Promise<ListenFilter> {
  const { taskIds: ids, resourceSubscriptions: uris } = filter;
  const [taskIds, resourceSubscriptions] = await Promise.all([
    ids && watched(ids, ground),
    uris && agreed(uris, ground),
  ]);
  return {
    ...flagsOf(filter),
    ...(resourceSubscriptions !== undefined && { resourceSubscriptions }),
    ...(taskIds !== undefined && { taskIds }),
  };
}

function flagsOf(filter: ListenFilter): ListenFilter {
  const flags = Object.values(FLAG_OF).filter((flag) => filter[flag] === true);
  return Object.fromEntries(flags.map((flag) => [flag, true]));
}

/** Resolves to the tasks of which their providers will tell. */
async function watched(ids: readonly string[], { catalogue, watcher }: FilterGround): Promise<readonly string[]> {
  const isWatched = await Promise.all(
    ids.map(async (id) => {
      const route = catalogue.finder.findTask(id);
      return (await route?.provider.tasks?.watch(route.ownName, watcher)) === true;
    }),
  );
  return ids.filter((_id, index) => isWatched[index]);
}

/** Resolves to the resources of which it is clear in time that the client will hear about their changes. */
async function agreed(uris: readonly string[], { catalogue, subscriptions }: FilterGround): Promise<readonly string[]> {
  const known = uris.filter((uri) => catalogue.finder.findResource(uri).length > 0);
  const isAgreed = await Promise.all(known.map((uri) => trueWithin(subscriptions.subscribe(uri), AGREE_MS)));
  return known.filter((_uri, index) => isAgreed[index]);
}

/** Resolves to whether a promise resolves to true within `ms`. */
function trueWithin(promise: Promise<boolean>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void promise.then((isTrue) => {
      clearTimeout(timer);
      resolve(isTrue);
    });
  });
}
