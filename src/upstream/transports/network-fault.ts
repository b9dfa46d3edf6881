/** Why a connection was not made, or did not last. Completes the sentence "<upstream>: …". */
export function faultReason(error: NodeJS.ErrnoException, wasConnected: boolean): string {
  const code = error.code ?? error.message;
  if (wasConnected) return `the connection broke (${code})`;
  if (code === 'ECONNREFUSED') return 'connection refused';
  return code === 'ENOENT' ? 'there is no socket at its url (ENOENT)' : `it cannot be reached (${code})`;
}
