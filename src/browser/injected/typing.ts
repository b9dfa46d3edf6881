export type TypingAnswer = { readonly kind: 'ready' | 'atStart' } | { readonly kind: 'refused'; readonly why: string };

/**
 * Focuses an element that takes text and puts the caret at the end of its text.
 * @param isReplaced selects the text instead, so that it is replaced
 * @returns `atStart` if scripts may not move the caret in this kind of field
 */
export function beginTyping(element: Element, isReplaced: boolean): TypingAnswer {
  const textTypes = ['text', 'search', 'url', 'tel', 'password'];
  const otherTypes = ['email', 'number'];
  const refused = (why: string): TypingAnswer => ({ kind: 'refused', why });
  const focusedIn = (root: Document | ShadowRoot): Element | null => {
    const focused = root.activeElement;
    return focused?.shadowRoot?.activeElement ? focusedIn(focused.shadowRoot) : focused;
  };
  const focus = (field: HTMLElement) => {
    field.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    if (focusedIn(document) !== field) field.focus({ preventScroll: true });
  };
  const typeInInput = (input: HTMLInputElement): TypingAnswer => {
    const isOther = otherTypes.includes(input.type);
    if (isOther && !isReplaced) return { kind: 'atStart' };
    if (!isOther && !textTypes.includes(input.type))
      return refused(`is an input of type ${input.type}: use webview_fill`);
    if (isReplaced) input.select();
    else input.setSelectionRange(input.value.length, input.value.length);
    return { kind: 'ready' };
  };
  const typeInArea = (area: HTMLTextAreaElement): TypingAnswer => {
    area.setSelectionRange(isReplaced ? 0 : area.value.length, area.value.length);
    return { kind: 'ready' };
  };
  const typeInEditable = (editable: HTMLElement): TypingAnswer => {
    const selection = getSelection();
    selection?.selectAllChildren(editable);
    if (!isReplaced) selection?.collapseToEnd();
    return { kind: 'ready' };
  };
  const hostOf = (editable: HTMLElement) => {
    let host = editable;
    while (host.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  };
  const fieldOf = (start: Element): Element => {
    if (start instanceof HTMLLabelElement && start.control !== null) return start.control;
    if (start.shadowRoot?.delegatesFocus !== true) return start;
    (start as HTMLElement).focus();
    return focusedIn(document) ?? start;
  };
  const begin = (field: Element): TypingAnswer => {
    if (!field.isConnected) return refused('is not on the page any more: look at the page again');
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      if (field.matches(':disabled')) return refused('is disabled');
      if (field.readOnly) return refused('can only be read');
      focus(field);
      return field instanceof HTMLInputElement ? typeInInput(field) : typeInArea(field);
    }
    if (!(field instanceof HTMLElement && field.isContentEditable)) return refused('takes no text');
    focus(hostOf(field));
    return typeInEditable(field);
  };
  return begin(fieldOf(element));
}
