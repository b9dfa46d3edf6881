/** Returns whether a node is in the document that is shown. `null` is what is left of a node of another document. */
export function isOnPage(node: Node | null): boolean {
  return node?.isConnected === true && node.ownerDocument === document;
}
