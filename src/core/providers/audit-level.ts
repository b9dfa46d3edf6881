/** The weight of a call in the audit: `security` for what changes something or runs something. */
export type AuditLevel = 'info' | 'security';
