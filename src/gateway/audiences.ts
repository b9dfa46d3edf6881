import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import { type Access, intersect } from '../core/access/access.ts';
import { type Admittance, DEFAULT_PROFILE } from '../core/access/admittance.ts';
import type { SessionHost } from '../session/session-host.ts';
import type { Sessions } from '../session/sessions.ts';

/** Accesses by the name of their profile. */
export type Profiles = Readonly<Record<string, Access>>;

export interface AudiencesOptions {
  readonly catalogue: Catalogue;
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  /** What clients share that see what this view shows. */
  readonly createHost: (view: CatalogueView) => SessionHost;
  readonly isLeaving: () => boolean;
}

const NO_ACCESS: Access = { upstreams: [], workflows: [], tools: { allow: [], deny: [] }, projects: [[]] };

/** Clients that may see the same. */
interface Audience {
  readonly admittance: Admittance;
  readonly host: SessionHost;
}

/** What clients share, by what they may see. */
export class Audiences {
  /** For whoever may see everything: the gateway itself, and the commands of its user. */
  readonly everything: SessionHost;
  readonly #options: AudiencesOptions;
  readonly #byAdmittance = new Map<string, Audience>();
  #profiles: Profiles;

  constructor(options: AudiencesOptions) {
    this.#options = options;
    this.#profiles = options.profiles;
    this.everything = this.#createHost(undefined);
  }

  /** Whether the config has a profile of this name. */
  has(profile: string | undefined): boolean {
    return profile !== undefined && Object.hasOwn(this.#profiles, profile);
  }

  hostFor({ profile, access }: Admittance): SessionHost {
    if (profile === undefined && access === undefined) return this.everything;
    const admittance = { profile, access };
    const key = JSON.stringify(admittance);
    let audience = this.#byAdmittance.get(key);
    if (audience === undefined) {
      audience = { admittance, host: this.#createHost(this.#accessOf(admittance)) };
      this.#byAdmittance.set(key, audience);
    }
    return audience.host;
  }

  /** Goes over to other profiles: clients of those that are gone are sent away, the others see what theirs allow now. */
  apply(profiles: Profiles): void {
    this.#profiles = profiles;
    for (const [key, audience] of this.#byAdmittance) {
      if (!this.#exists(audience.admittance)) this.#sendAway(audience);
      if (this.#options.sessions.clientsOf(audience.host.catalogue).length > 0) this.#limit(audience);
      else this.#forget(key, audience);
    }
  }

  #createHost(access: Access | undefined): SessionHost {
    const { catalogue, sessions, createHost, isLeaving } = this.#options;
    const view = catalogue.openView(access, (kinds) => {
      // Upstreams that stop with the gateway are no news.
      if (!isLeaving()) sessions.onCatalogueChange(view, kinds);
    });
    return createHost(view);
  }

  #exists({ profile }: Admittance): boolean {
    return profile === undefined || profile === DEFAULT_PROFILE || this.has(profile);
  }

  /** `undefined` for everything. */
  #accessOf(admittance: Admittance): Access | undefined {
    const { profile, access } = admittance;
    if (!this.#exists(admittance)) return NO_ACCESS;
    const ofProfile = this.has(profile) ? this.#profiles[profile!] : undefined;
    return ofProfile === undefined || access === undefined ? (ofProfile ?? access) : intersect(ofProfile, access);
  }

  #sendAway({ admittance, host }: Audience): void {
    for (const client of this.#options.sessions.clientsOf(host.catalogue))
      client.hangUp(`the profile ${admittance.profile} was removed`);
  }

  #limit({ admittance, host }: Audience): void {
    const hidden = host.catalogue.limitTo(this.#accessOf(admittance));
    this.#options.sessions.onHidden(host.catalogue, hidden);
  }

  #forget(key: string, { host }: Audience): void {
    this.#options.catalogue.closeView(host.catalogue);
    this.#byAdmittance.delete(key);
  }
}
