import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import { type ClientGrant, DEFAULT_PROFILE } from '../core/access/client-grant.ts';
import { intersect, type Permissions } from '../core/access/permissions.ts';
import type { SessionHost } from '../session/session-host.ts';
import type { Sessions } from '../session/sessions.ts';

/** Accesses by the name of their profile. */
export type Profiles = Readonly<Record<string, Permissions>>;

export interface ClientViewsOptions {
  readonly catalogue: Catalogue;
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  /** Returns the host shared by the clients that see what this view shows. */
  readonly createHost: (catalogueView: CatalogueView) => SessionHost;
  readonly isLeaving: () => boolean;
}

const NO_PERMISSIONS: Permissions = { upstreams: [], workflows: [], tools: { allow: [], deny: [] }, projects: [[]] };

/** Clients that may see the same. */
interface ClientView {
  readonly grant: ClientGrant;
  readonly host: SessionHost;
}

/** The hosts that clients share, by what the clients may see. */
export class ClientViews {
  /** The host for those who may see everything: the gateway itself, and the commands of its user. */
  readonly everything: SessionHost;
  readonly #options: ClientViewsOptions;
  readonly #byGrant = new Map<string, ClientView>();
  #profiles: Profiles;

  constructor(options: ClientViewsOptions) {
    this.#options = options;
    this.#profiles = options.profiles;
    this.everything = this.#createHost(undefined);
  }

  /** Returns true if the config has a profile of this name. */
  has(profile: string | undefined): boolean {
    return profile !== undefined && Object.hasOwn(this.#profiles, profile);
  }

  hostFor({ profile, access }: ClientGrant): SessionHost {
    if (profile === undefined && access === undefined) return this.everything;
    const grant = { profile, access };
    const key = JSON.stringify(grant);
    let view = this.#byGrant.get(key);
    if (view === undefined) {
      view = { grant, host: this.#createHost(this.#accessOf(grant)) };
      this.#byGrant.set(key, view);
    }
    return view.host;
  }

  /** Goes over to other profiles: clients of those that are gone are sent away, the others see what theirs allow now. */
  apply(profiles: Profiles): void {
    this.#profiles = profiles;
    for (const [key, view] of this.#byGrant) {
      if (!this.#exists(view.grant)) this.#sendAway(view);
      if (this.#options.sessions.clientsOf(view.host.catalogue).length > 0) this.#limit(view);
      else this.#forget(key, view);
    }
  }

  #createHost(access: Permissions | undefined): SessionHost {
    const { catalogue, sessions, createHost, isLeaving } = this.#options;
    const catalogueView = catalogue.openView(access, (kinds) => {
      // Upstreams that stop with the gateway are no news.
      if (!isLeaving()) sessions.onCatalogueChange(catalogueView, kinds);
    });
    return createHost(catalogueView);
  }

  #exists({ profile }: ClientGrant): boolean {
    return profile === undefined || profile === DEFAULT_PROFILE || this.has(profile);
  }

  /** `undefined` for everything. */
  #accessOf(grant: ClientGrant): Permissions | undefined {
    const { profile, access } = grant;
    if (!this.#exists(grant)) return NO_PERMISSIONS;
    const ofProfile = this.has(profile) ? this.#profiles[profile!] : undefined;
    return ofProfile === undefined || access === undefined ? (ofProfile ?? access) : intersect(ofProfile, access);
  }

  #sendAway({ grant, host }: ClientView): void {
    for (const client of this.#options.sessions.clientsOf(host.catalogue))
      client.hangUp(`the profile ${grant.profile} was removed`);
  }

  #limit({ grant, host }: ClientView): void {
    const hidden = host.catalogue.limitTo(this.#accessOf(grant));
    this.#options.sessions.onHidden(host.catalogue, hidden);
  }

  #forget(key: string, { host }: ClientView): void {
    this.#options.catalogue.closeView(host.catalogue);
    this.#byGrant.delete(key);
  }
}
