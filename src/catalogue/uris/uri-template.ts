import { findText } from '../../core/text/find-text.ts';

/** Returns true if a uri can come from a template (RFC 6570): it contains the template's literal parts in order. */
export function matchesTemplate(template: string, uri: string): boolean {
  const literals = template.split(/\{[^{}]*\}/);
  const first = literals.shift()!;
  const last = literals.pop();
  if (last === undefined) return uri === template;
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false;
  let at = first.length;
  const end = uri.length - last.length;
  for (const literal of literals) {
    const found = findText(uri, literal, at);
    if (found === -1 || found + literal.length > end) return false;
    at = found + literal.length;
  }
  return true;
}

/** Counts the characters of a template that are in every uri it makes. */
export function literalLength(template: string): number {
  return template.replace(/\{[^{}]*\}/g, '').length;
}
