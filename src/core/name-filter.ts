import picomatch from 'picomatch';

/** Decides by globs (`read_*`, `!(delete*)`) which of an upstream's own tool names exist for clients. Deny wins. */
export function nameFilter(rules: {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}): (name: string) => boolean {
  const allowed = matcher(rules.allow);
  const denied = matcher(rules.deny);
  return (name) => allowed(name) && !denied(name);
}

function matcher(globs: readonly string[]): (name: string) => boolean {
  if (globs.length === 0) return () => false;
  if (globs.includes('*')) return () => true;
  // Names are no paths: a slash or a leading dot in one means nothing.
  const matches = picomatch([...globs], { dot: true, bash: true });
  return (name) => matches(name);
}
