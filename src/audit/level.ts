import type { AuditLevel } from '../core/providers/audit-level.ts';
import type { EndedCall } from '../core/providers/call-audit.ts';
import type { Descriptor } from '../core/providers/provider.ts';
import { toBuffer } from '../wire/bytes.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../wire/lens.ts';

const levels = new WeakMap<Descriptor, AuditLevel>();

/**
 * Returns the level that the tool declares; for an upstream's tool, the level that its `readOnlyHint` implies. A tool
 * that is not known to only read may do anything.
 */
export function levelOf({ text, descriptor }: EndedCall): AuditLevel {
  if (text.message.method !== 'tools/call') return 'info';
  if (descriptor === undefined) return 'security';
  if (descriptor.audit !== undefined) return descriptor.audit;
  let level = levels.get(descriptor);
  if (level === undefined) {
    level = onlyReads(descriptor) ? 'info' : 'security';
    levels.set(descriptor, level);
  }
  return level;
}

function onlyReads(descriptor: Descriptor): boolean {
  const text = toBuffer(descriptor.text);
  const annotations = lastMember(membersOf(text), 'annotations');
  if (annotations === undefined || typeOfByte(text[annotations.start]) !== 'object') return false;
  const hint = lastMember(membersOf(text, annotations), 'readOnlyHint');
  return hint !== undefined && rawText(text, hint) === 'true';
}
