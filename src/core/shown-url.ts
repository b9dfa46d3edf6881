/** A url without what is a secret in many: user, password, query. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'no url';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
