import { openCheckpointStore } from '../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openEventStore } from '../../../src/store/events/open-event-store.ts';
import { writeConfig } from '../../support/gateway.ts';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { databases, type Kind } from '../../support/stores/databases.ts';

const HOUR_MS = 3_600_000;

/** Builds that agents have recorded: type, repository, hours ago, status, seconds. */
export const RECORDED = [
  ['build', 'acme-web', 0.1, 'success', 10],
  ['build', 'acme-api', 0.5, 'failed', 20],
  ['build_image', 'acme-web', 5, 'SUCCESS', 60],
  ['build', 'globex', 0.2, 'success', 90],
  ['build', undefined, 3, 'cancelled', undefined],
  ['build', 'globex', 100, 'failed', 30],
  ['scan', 'acme-web', 0.3, 'success', 1],
  ['build', 'acme-web', 200, 'failed', 1],
] as const;

/** Places with projects and recorded events, and what the database has of them. */
export function idePlaces(kind: Kind) {
  const { newPlace, open } = databases(kind);
  return {
    filled: async (skip: () => never): Promise<Place> => {
      const place = await newPlace(skip);
      const { store: checkpoints } = open(place, (database) => openCheckpointStore({ database }));
      for (const project of ['acme-web', 'acme-api', 'globex'])
        await checkpoints.update(project, { sourceIde: 'test', kind: 'save' }, () => ({ bundle: {}, outcome: 0 }));
      const { store: events } = open(place, (database) => openEventStore({ database, home: place.home }));
      await events.add(
        RECORDED.map(([type, repo, hours, status, seconds]) => ({
          kind: 'metric',
          type,
          repo,
          at: Date.now() - hours * HOUR_MS,
          body: JSON.stringify({ ...(seconds !== undefined && { duration: seconds * 1e9 }), data: { status } }),
        })),
      );
      return place;
    },
    configOf: ({ url }: Place, more: object = {}) =>
      writeConfig({ enabledWorkflows: ['ide', 'gateway'], ...(url !== undefined && { database: url }), ...more }),
    envOf: ({ home }: Place) => ({ ...process.env, VIADUCT_HOME: home }),
    /** Bodies of the recorded builds since so many hours, as a client that may see these repositories would count them. */
    buildsSince: async (place: Place, hours: number, mayUse: (repo: string | null) => boolean): Promise<any[]> => {
      const { database } = open(place, (one) => openEventStore({ database: one, home: place.home }));
      const rows = await database.run(({ queries }) =>
        queries.selectFrom('events').selectAll().where('kind', '=', 'metric').execute(),
      );
      return rows
        .filter(
          ({ type, repo, at_ms }) =>
            type.startsWith('build') && mayUse(repo) && Number(at_ms) > Date.now() - hours * HOUR_MS,
        )
        .map(({ body }) => JSON.parse(body));
    },
    /** What the database has of builds and chats since so many hours, in the projects that pass. */
    ownSince: async (place: Place, hours: number, mayUse: (project: string | null) => boolean) => {
      const { database } = open(place, (one) => openEventStore({ database: one, home: place.home }));
      const from = Date.now() - hours * HOUR_MS;
      return database.run(async ({ queries }) => {
        const builds = await queries.selectFrom('builds').selectAll().execute();
        const sessions = (await queries.selectFrom('ide_sessions').selectAll().execute()).filter((session) =>
          mayUse(session.project_id),
        );
        const ids = new Set(sessions.map(({ id }) => id));
        const messages = await queries.selectFrom('ide_messages').selectAll().execute();
        return {
          builds: builds.filter(({ project_id, started_ms }) => mayUse(project_id) && Number(started_ms) >= from),
          sessions: sessions.filter(({ updated_ms }) => Number(updated_ms) >= from),
          messages: messages.filter(({ session_id, at_ms }) => ids.has(session_id) && Number(at_ms) >= from),
        };
      });
    },
    /** Number of calls in the audit. */
    auditedCalls: async (place: Place): Promise<number> => {
      const { store } = open(place, (database) => openEventStore({ database, home: place.home }));
      return (await store.countBy('type', { kind: 'audit' })).reduce((sum, { count }) => sum + count, 0);
    },
  };
}
