import { EngineTable } from './engine-table.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/** The database engines of this build. The first one is used if the config names no database. */
export const ENGINES = new EngineTable([sqlite, postgres]);
