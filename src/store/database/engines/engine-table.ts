import type { DatabasePlace, DatabaseUrls, EngineManifest } from './manifest.ts';

/** Answers what the manifests of database engines say. */
export class EngineTable {
  /** The engine that is used if the config names no database. */
  readonly byDefault: EngineManifest;
  readonly manifests: readonly EngineManifest[];

  constructor(manifests: readonly [EngineManifest, ...EngineManifest[]]) {
    this.manifests = manifests;
    [this.byDefault] = manifests;
  }

  /** The names of the engines that a url can name. */
  get names(): readonly string[] {
    return this.manifests.flatMap(({ name, urls }) => (urls === undefined ? [] : [name]));
  }

  /** The beginnings of urls, such as `postgres://`, one of each engine. */
  get beginnings(): readonly string[] {
    return this.#urls.map(({ protocols: [protocol] }) => `${protocol}//`);
  }

  /** Returns the engine of a url by its scheme; `undefined` if there is none. */
  forUrl(url: string): EngineManifest | undefined {
    const text = url.toLowerCase();
    return this.manifests.find(({ urls }) => urls?.protocols.some((protocol) => text.startsWith(`${protocol}//`)));
  }

  /** Returns the engine of a database. @throws Error if no engine takes its url */
  forPlace({ url }: Pick<DatabasePlace, 'url'>): EngineManifest {
    const found = url === undefined ? this.byDefault : this.forUrl(url);
    if (found === undefined)
      throw new Error(`No database has such a url: it begins with ${this.beginnings.join(' or ')}`);
    return found;
  }

  /** Returns the passwords in a url of any engine. */
  passwordsIn(url: string): readonly string[] {
    const text = url.trim();
    return this.forUrl(text)?.urls?.passwordsIn(text) ?? [];
  }

  get #urls(): readonly DatabaseUrls[] {
    return this.manifests.flatMap(({ urls }) => urls ?? []);
  }
}
