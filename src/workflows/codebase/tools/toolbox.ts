import type { Knowledge } from '../../../knowledge/index/knowledge.ts';
import type { Identities } from '../../../projects/identity/resolve-project.ts';
import type { Places } from '../places.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  readonly knowledge: Knowledge;
  readonly places: Places;
  readonly identities: Identities;
  /** Names the database of the index, without its host. */
  readonly databaseName: string;
}
