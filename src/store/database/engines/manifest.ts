import type { KnowledgeSql } from '../../knowledge/sql.ts';
import type { TermsIndex } from '../../knowledge/terms-index.ts';
import type { Engine } from '../engine.ts';
import type { FaultsOf } from '../store-errors.ts';

/** The place of a database. */
export interface DatabasePlace {
  /** The gateway's own folder, for engines that keep files there. */
  readonly home: string;
  /** The url in the config; absent for the engine that needs none. */
  readonly url?: string | undefined;
}

/** The urls by which the config names databases of an engine. */
export interface DatabaseUrls {
  /** Schemes with their colon, such as `postgres:`; the first is the one that messages and docs name. */
  readonly protocols: readonly string[];
  /** The advice for a url that `isValid` refuses: the form in which to write it. */
  readonly hint: string;
  /** Returns true if a text with one of the schemes can be opened, as far as its form tells. */
  isValid(text: string): boolean;
  /** Returns the passwords in a text, as they are written and as they are meant: they are never shown. */
  passwordsIn(text: string): readonly string[];
}

/** The code of an engine. */
export interface EngineCode {
  /**
   * Opens a database, and brings it to the shape that this build works with.
   * @param isLax the last moments may be lost in a power cut
   * @throws the errors that `faultsOf` explains
   */
  readonly open: (place: DatabasePlace, isLax: boolean) => Promise<Engine>;
  /**
   * Looks whether this build can work with a database, and changes nothing in it.
   * @returns false if there is none yet
   * @throws the errors that `faultsOf` explains
   */
  readonly look: (place: DatabasePlace) => Promise<boolean>;
  /** Explains an error of the engine; `undefined` if it is none. */
  readonly faultsOf: FaultsOf;
}

/** The index of the knowledge workflows, open for one thread. */
export interface KnowledgeEngine {
  readonly sql: KnowledgeSql;
  readonly terms: TermsIndex;
}

/**
 * Everything that the rest of the program knows about a database engine: opening, the config, `viaduct doctor` and the
 * documentation follow it. It is read at every start, so its code is imported by `load` and `openKnowledge`.
 */
export interface EngineManifest {
  /** Its name for people. */
  readonly name: string;
  /** Absent for the engine that is used if the config names no database. */
  readonly urls?: DatabaseUrls;
  /** Names a database without secrets. */
  shownPlace(place: DatabasePlace): string;
  load(): Promise<EngineCode>;
  /** Opens the index of the knowledge workflows. @throws GatewayError where it cannot be opened or a newer build has made it */
  openKnowledge(place: DatabasePlace): Promise<KnowledgeEngine>;
}
