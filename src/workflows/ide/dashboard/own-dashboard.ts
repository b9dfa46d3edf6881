import type { CheckpointStore } from '../../../core/stores/checkpoint-store.ts';
import type { EventStore } from '../../../core/stores/event-store.ts';
import type { CallingClient, GatewayView } from '../../define.ts';
import { mayUse } from '../../project-access.ts';
import type { IdeBuilds } from '../builds/builds.ts';
import type { Chat } from '../chat/chat.ts';
import { newestActivity } from './activity.ts';
import type { Dashboard, Period } from './dashboard.ts';
import { metricsOf } from './metrics.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK: Readonly<Record<Period, number>> = { '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS };

export interface DashboardParts {
  readonly gateway: GatewayView;
  readonly events: EventStore;
  readonly checkpoints: Pick<CheckpointStore, 'projects'>;
  /** Returns the ids of all projects that have something that is counted. */
  readonly knownProjects: () => Promise<readonly string[]>;
  readonly chat: Chat;
  readonly builds: IdeBuilds;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Returns the dashboard that is computed from what the gateway itself knows. */
export function ownDashboard(parts: DashboardParts): Dashboard {
  const { gateway, checkpoints, builds, events, now } = parts;
  return {
    async overview({ client }) {
      const [projects, recent] = await Promise.all([
        checkpoints.projects(),
        projectsFor(parts, client).then((seen) => builds.since(seen, now() - DAY_MS)),
      ]);
      const overview = {
        repos: projects.filter(({ projectId }) => mayUse(client, projectId)).length,
        services: gateway.report(client).upstreams.length,
        activeSessions: gateway.clients(client),
        recentBuilds: recent.length,
      };
      return { overview, sources: OVERVIEW_SOURCES };
    },
    activity: (limit, { client }) =>
      newestActivity(
        { events, client, seesEverything: gateway.seesEverything(client) },
        limit,
        now() - LOOK_BACK['7d'],
      ),
    async metrics(period, { client }) {
      const projects = await projectsFor(parts, client);
      return metricsOf({ ...parts, client, projects }, now() - LOOK_BACK[period]);
    },
  };
}

const OVERVIEW_SOURCES = {
  repos: 'projects with a checkpoint',
  services: 'servers behind this gateway',
  activeSessions: 'clients that are connected to this gateway',
  recentBuilds: 'builds that were started under the gateway in the last 24 hours',
};

/** Returns the projects whose data a client may use; `undefined` for all. */
async function projectsFor(
  { knownProjects }: DashboardParts,
  client: CallingClient,
): Promise<readonly string[] | undefined> {
  if (mayUse(client, undefined)) return undefined;
  return (await knownProjects()).filter((projectId) => mayUse(client, projectId));
}
