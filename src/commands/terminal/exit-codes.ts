/** Exit codes. Scripts may rely on them. */
export const EXIT = {
  ok: 0,
  /** The command did what it should, and the answer is no: a tool failed, an upstream is down, nothing was found. */
  failed: 1,
  /** The command line or the config is wrong. */
  usage: 2,
  /** A fault of Viaduct's own has ended it. */
  fault: 70,
  /** The gateway would be open to others without protection: it does not start. */
  unprotected: 78,
} as const;
