import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { browserFailed } from '../failure.ts';
import type { OwnPages } from './own-pages.ts';
import { TabIds } from './tab-ids.ts';
import type { OwnClaims } from './target-claims.ts';

/** A tab that the client has, or can select. */
export interface Tab {
  /** Such as `t1`; the same as long as the visit lasts. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** True for the tab that tools work in. */
  readonly isCurrent: boolean;
  /** False for a tab of the user that the client has not selected yet. */
  readonly isOwn: boolean;
}

export interface TabTargetsOptions {
  readonly ground: {
    readonly connection: { readonly root: Pick<CdpSession, 'send'> };
    readonly contextId: string | undefined;
  };
  readonly claims: Pick<OwnClaims, 'isTakenByOther'>;
}

type TargetInfo = Protocol.Target.TargetInfo;

const MAX_LISTED = 100;
const MAX_TITLE = 200;
const MAX_URL = 2_000;

/** The browser's targets that are tabs which a client has or can select, and the ids by which the client knows them. */
export class TabTargets {
  readonly #options: TabTargetsOptions;
  readonly #pages: Pick<OwnPages, 'get'>;
  readonly #ids = new TabIds();

  /** @param pages the pages that the client has */
  constructor(options: TabTargetsOptions, pages: Pick<OwnPages, 'get'>) {
    this.#options = options;
    this.#pages = pages;
  }

  /** Returns the id of a tab, and gives it one if it has none. */
  idOf(targetId: string): string {
    return this.#ids.idOf(targetId);
  }

  /** Returns the pages of the visit's context that no other client has. @throws CdpError */
  async all(): Promise<readonly TargetInfo[]> {
    const { ground, claims } = this.#options;
    const { targetInfos } = await ground.connection.root.send('Target.getTargets');
    const context = ground.contextId ?? targetInfos.find(({ targetId }) => this.#pages.get(targetId))?.browserContextId;
    return targetInfos.filter(
      ({ type, url, targetId, browserContextId }) =>
        type === 'page' &&
        browserContextId === context &&
        !url.startsWith('devtools:') &&
        !claims.isTakenByOther(targetId),
    );
  }

  /** Returns the first of them, not too many, by their ids. @throws CdpError */
  async listed(): Promise<readonly TargetInfo[]> {
    const targets = (await this.all()).slice(0, MAX_LISTED);
    return targets.toSorted((a, b) => this.#ids.numberOf(a.targetId) - this.#ids.numberOf(b.targetId));
  }

  /** @throws GatewayError if there is none with this id; CdpError */
  async withId(id: string): Promise<TargetInfo> {
    const found = (await this.all()).find(({ targetId }) => this.#ids.idOf(targetId) === id);
    if (found === undefined) throw browserFailed(`there is no tab ${JSON.stringify(cutText(id, MAX_TITLE))}`);
    return found;
  }

  /** @param current the target of the current tab */
  tabOf({ targetId, title, url }: TargetInfo, current: string): Tab {
    return {
      id: this.#ids.idOf(targetId),
      title: cutText(title, MAX_TITLE),
      url: cutText(url, MAX_URL),
      isCurrent: targetId === current,
      isOwn: this.#pages.get(targetId) !== undefined,
    };
  }
}
