/** Returns whether a node is in a document. */
export function isOnPage(node: Node): boolean {
  return node.isConnected;
}
