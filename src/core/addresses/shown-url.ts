/** Returns a url without what is a secret in many: user, password, query. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'no url';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
