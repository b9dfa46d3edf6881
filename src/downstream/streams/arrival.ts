import { PROFILE_NOTIFICATION } from '../../core/access/client-grant.ts';
import { depthOf } from '../../core/agent-depth.ts';
import { asFolder, FOLDER_NOTIFICATION } from '../../core/providers/client-folder.ts';
import { lastMember, stringAt } from '../../wire/lens.ts';
import { type Message, type NotificationMessage, paramsOf } from '../../wire/message.ts';

/** The facts about a client that are known before its first message. */
export interface Arrival {
  readonly folder: string | undefined;
  readonly profile: string | undefined;
  /** Number of agents, started by gateways, between the client and the user. */
  readonly depth: number;
  readonly hangUp: (reason: string) => void;
}

export interface ArrivalOptions {
  /** The folder that the client works in, where it is known without being told. */
  readonly folder?: string | undefined;
  /** The profile that it is bound to from the start. */
  readonly profile?: string | undefined;
  /** Returns whether there is a profile of a name. If this is given, the client may say first which one it is bound to. */
  readonly hasProfile?: ((name: string) => boolean) | undefined;
  readonly hangUp: (reason: string) => void;
  /** The client has named a profile that does not exist; it must be disconnected. */
  readonly onUnknownProfile: (name: string | undefined) => void;
}

/** Takes the notifications by which `viaduct stdio` introduces the client that it serves. */
export class ArrivalNotes {
  readonly #options: ArrivalOptions;
  #folder: string | undefined;
  #profile: string | undefined;
  #depth = 0;
  #isClosed = false;

  constructor(options: ArrivalOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#profile = options.profile;
  }

  /** Returns whether a message is for the arrival only: if so, it is noted. */
  takes(message: Message): boolean {
    if (message.kind !== 'notification') return false;
    switch (message.method) {
      case FOLDER_NOTIFICATION:
        this.#onFolder(message);
        return true;
      case PROFILE_NOTIFICATION:
        this.#onProfile(message);
        return true;
      default:
        return false;
    }
  }

  /** Returns the facts for the client that is being opened. From now on no profile can be named any more. */
  settle(): Arrival {
    this.#isClosed = true;
    const { hangUp } = this.#options;
    return { folder: this.#folder, profile: this.#profile, depth: this.#depth, hangUp };
  }

  /** Notes where the client was started, and behind how many agents. */
  #onFolder(message: NotificationMessage): void {
    const { text } = message.frame;
    const params = paramsOf(message);
    this.#folder = asFolder(stringAt(text, lastMember(params, 'folder'))) ?? this.#folder;
    // The client's own words come behind those of `viaduct stdio`: they do not take back the depth.
    this.#depth = Math.max(this.#depth, depthOf(stringAt(text, lastMember(params, 'depth'))));
  }

  /**
   * Notes the profile. It must come before all other messages and cannot change, and an unknown one ends the connection:
   * no client may see more because a profile was removed.
   */
  #onProfile(message: NotificationMessage): void {
    const { hasProfile, onUnknownProfile } = this.#options;
    if (hasProfile === undefined || this.#isClosed || this.#profile !== undefined) return;
    const name = stringAt(message.frame.text, lastMember(paramsOf(message), 'profile'));
    if (name !== undefined && hasProfile(name)) this.#profile = name;
    else onUnknownProfile(name);
  }
}
