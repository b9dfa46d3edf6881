/** Something whose work must not end with the last client. */
export interface KeepsAlive {
  /** Says in a few words each what it still does: `index of /code`, `build abc`. Empty if nothing. */
  work(): readonly string[];
}
