/** The level that the audit gives a call: `security` for calls that change or run something. */
export type AuditLevel = 'info' | 'security';
