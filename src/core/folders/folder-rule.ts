import { GatewayError } from '../errors.ts';
import { isInside } from './is-inside.ts';
import { realPlace } from './real-place.ts';

/** The config key that opens more folders. */
const KEY = 'workspace.clientFolders';
/** The longest part of a client's text that a message repeats. */
const SHOWN = 200;

/** Decides which folders of this machine a client may name as the place that it works in. */
export interface FolderRule {
  /**
   * Returns the real path of a file or folder that the client may use, else `undefined`. Links and `..` are followed
   * first. What is not there yet is judged by the nearest folder above it that is.
   */
  admit(place: string): Promise<string | undefined>;
  /** Notes that a client named a folder that it may not use. Returns the error that says so, and which config key opens it. */
  refuse(place: string): GatewayError;
}

export interface FolderRuleOptions {
  /** The open folders, absolute; everything below them is open as well. Asked for each time: the config may change. */
  readonly folders: () => readonly string[];
  /** Told of each refused folder. */
  readonly onRefused: (place: string) => void;
}

/** Returns the rule that opens only some folders: the one for clients that come over HTTP. */
export function openFolders({ folders, onRefused }: FolderRuleOptions): FolderRule {
  return {
    async admit(place) {
      const real = await realPlace(place);
      if (real === undefined) return undefined;
      for (const folder of folders()) {
        const top = await realPlace(folder);
        if (top !== undefined && isInside(top, real)) return real;
      }
      return undefined;
    },
    refuse(place) {
      onRefused(place);
      const shown = JSON.stringify(place.slice(0, SHOWN));
      const what = `the folder ${shown} is not open to clients that come over HTTP`;
      return new GatewayError('OUTSIDE_WORKSPACE', `${what}: ${HOW_TO_OPEN}`, { effect: 'none' });
    },
  };
}

/** Ends a message about a folder that is not open. */
export const HOW_TO_OPEN = `add it, or a folder above it, to ${KEY} in the config of the gateway`;

/**
 * Returns what a client may use in the place of `place`: its real path, or the same if there is no rule.
 * @throws GatewayError if the rule does not admit it
 */
export async function admitted(place: string, rule: FolderRule | undefined): Promise<string> {
  if (rule === undefined) return place;
  const real = await rule.admit(place);
  if (real === undefined) throw rule.refuse(place);
  return real;
}
