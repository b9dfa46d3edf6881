/** Turns the uris of upstreams into those that clients use. */
export interface PublicUris {
  /**
   * Returns the uri under which clients reach a resource of an upstream that lists or names it. An address that no upstream
   * owned becomes the upstream's, so that it leads back there.
   */
  publicUri(key: string, uri: string): string;
}
