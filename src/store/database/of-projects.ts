import { sql } from 'kysely';
import type { EngineKind } from './tables.ts';

/** Returns the condition that a row's `project_id` is one of these. It has one parameter, however many projects there are. */
export function isOfProjects(kind: EngineKind, projects: readonly string[]) {
  if (projects.length === 1) return sql<boolean>`project_id = ${projects[0]}`;
  const list = JSON.stringify(projects);
  return kind === 'sqlite'
    ? sql<boolean>`project_id in (select value from json_each(${list}))`
    : sql<boolean>`project_id in (select jsonb_array_elements_text(${list}::text::jsonb))`;
}
