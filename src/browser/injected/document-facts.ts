/** Returns where the document came from; `status` is `null` if it did not come over HTTP. */
export function documentFacts(): { url: string; status: number | null } {
  const [entry] = performance.getEntriesByType('navigation');
  const status = (entry as PerformanceNavigationTiming | undefined)?.responseStatus;
  return { url: location.href, status: status === undefined || status === 0 ? null : status };
}
