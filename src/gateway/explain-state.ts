/** The part of an upstream's status that tells why it has no tools to offer. */
export interface StateFacts {
  readonly key: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

/** Completes "because …" for a state that is not `ready`. */
export function describeState({ key, state, reason }: StateFacts): string {
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
  switch (state) {
    case 'idle':
      return why === '' ? `${key} was not started yet` : `${key} does not run${why}`;
    case 'starting':
      return `${key} is starting and has not sent its lists yet`;
    case 'waiting':
      return `${key} is connected, but its tools are not listed${why}`;
    case 'backoff':
      return `${key} ended and is started again soon${why}`;
    case 'crash-loop':
      return `${key} ended too often and is not started again by itself${why}`;
    case 'failed':
      return `${key} cannot be started with its configuration${why}`;
    case 'needs-auth':
      return `${key} wants you to log in${why}`;
    default:
      return `${key} is ${state}${why}`;
  }
}

/** Returns what the user can do to bring an upstream back. */
export function fixForState({ key, state }: StateFacts): string {
  switch (state) {
    case 'starting':
      return 'ask again in a moment; viaduct status shows when it is ready';
    case 'failed':
      return `correct upstreams.${key} in the config, then: viaduct sync ${key}`;
    case 'needs-auth':
      return `viaduct auth login ${key}`;
    case 'crash-loop':
    case 'backoff':
      return `viaduct doctor shows its last words; when it is mended: viaduct sync ${key}`;
    case 'waiting':
      return `if the reason says what to do, do that; to ask it again now: viaduct sync ${key}`;
    default:
      return `viaduct sync ${key}`;
  }
}
