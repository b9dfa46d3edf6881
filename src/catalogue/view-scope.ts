import { type Permissions, type Scope, type Seen, scopeOf } from '../core/access/permissions.ts';
import type { Provider } from '../core/providers/provider.ts';

/** The scope of a view: the same object for as long as the view lives, though its permissions change with the config. */
export class ViewScope implements Scope {
  /** `undefined` if everything may be seen. */
  #limit: Scope | undefined;
  /** The answer of `providersOf`, with the list that it was made of. */
  #visible: { readonly of: readonly Provider[]; readonly providers: readonly Provider[] } | undefined;

  /** @param permissions everything is allowed where they are absent. */
  constructor(permissions: Permissions | undefined) {
    this.limitTo(permissions);
  }

  /** Goes over to other permissions. */
  limitTo(permissions: Permissions | undefined): void {
    this.#limit = permissions === undefined ? undefined : scopeOf(permissions);
    this.#visible = undefined;
  }

  /** True if nothing limits it. */
  get showsEverything(): boolean {
    return this.#limit === undefined;
  }

  get isWhole(): boolean {
    return this.#limit?.isWhole ?? true;
  }

  allowsProvider(provider: Seen): boolean {
    return this.#limit?.allowsProvider(provider) ?? true;
  }

  allowsTool(publicName: string): boolean {
    return this.#limit?.allowsTool(publicName) ?? true;
  }

  allowsProject(projectId: string | undefined): boolean {
    return this.#limit?.allowsProject(projectId) ?? true;
  }

  /** Returns those of the providers that may be seen, in their order: the same list for as long as both stay the same. */
  providersOf(all: readonly Provider[]): readonly Provider[] {
    const limit = this.#limit;
    if (limit === undefined) return all;
    if (this.#visible?.of !== all)
      this.#visible = { of: all, providers: all.filter((provider) => limit.allowsProvider(provider)) };
    return this.#visible.providers;
  }
}
