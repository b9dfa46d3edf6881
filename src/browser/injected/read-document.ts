import type { PageItem, PageReading, ReadingLimits } from '../snapshot/page-item.ts';
import type { PageWords } from '../snapshot/page-words.ts';
import type { Draft, Numbered, Surroundings } from './reading-state.ts';

/**
 * Reads a document, or a part of it, in the order of what is shown: open shadow trees and slots included, hidden parts not.
 * @param root an element; `null` for the whole document
 * @param token readings with the same one number their elements together: those that have a number already are not returned again
 * @returns a JSON text of `PageReading`, the document, and the elements that have got a number now (from index 2 on)
 */
export function readDocument(
  root: Element | null,
  limits: ReadingLimits,
  words: PageWords,
  token: string,
): readonly unknown[] {
  const found: unknown[] = [];
  const left = { ...limits };
  let isStopped = false;
  let depth = 0;
  let isTooDeep = false;
  /** Scripts can nest elements until their own stack is too small to walk through them. */
  const MAX_DEPTH = 600;
  /** Elements that are nested deeper inside elements with a role lose their own role. */
  const MAX_NESTING = 60;

  // A form or document whose fields are called like its properties hides these behind them.
  const getter = <T>(prototype: object, name: string) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name)!;
    return (object: object) => property.get!.call(object) as T;
  };
  const tagOf = getter<string>(Element.prototype, 'localName');
  const shadowOf = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot');
  const attributesOf = getter<NamedNodeMap>(Element.prototype, 'attributes');
  const childrenOf = getter<NodeListOf<ChildNode>>(Node.prototype, 'childNodes');
  const typeOf = getter<number>(Node.prototype, 'nodeType');
  const textOf = getter<string | null>(Node.prototype, 'textContent');
  const activeOf = getter<Element | null>(Document.prototype, 'activeElement');
  const bodyOf = getter<Element | null>(Document.prototype, 'body');
  const outermostOf = getter<Element | null>(Document.prototype, 'documentElement');
  const titleOf = getter<string>(Document.prototype, 'title');
  const byId = (tree: Node, id: string) =>
    tree instanceof ShadowRoot ? tree.getElementById(id) : Document.prototype.getElementById.call(document, id);
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  const has = (element: Element, name: string) => Element.prototype.hasAttribute.call(element, name);
  const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector);

  const setOf = (text: string) => new Set(text.split(' '));
  const SKIPPED = setOf(words.skipped);
  const ROLES = setOf(words.roles);
  const ACTED = setOf(words.acted);

  const collapsed = (text: string) => text.replace(/\s+/g, ' ');
  const short = (text: string, max = left.text) => {
    const kept = text.length > max ? `${text.slice(0, max - 1)}…` : text;
    left.characters -= kept.length;
    if (left.characters < 0) isStopped = true;
    return left.characters < 0 ? '' : kept;
  };
  const clean = (text: string | null | undefined) => short(collapsed((text ?? '').slice(0, 4 * left.text)).trim());

  /** Text of an element that names another one: hidden ones may do that, too. */
  const nameText = (node: Node, depth = 0): string => {
    if (typeOf(node) === 3) return (textOf(node) ?? '').slice(0, left.text);
    if (typeOf(node) !== 1 || depth > MAX_DEPTH) return '';
    const element = node as Element;
    const label = attribute(element, 'aria-label') ?? attribute(element, 'alt');
    if (label) return ` ${label.slice(0, left.text)} `;
    const tag = tagOf(element);
    if (SKIPPED.has(tag) || tag === 'select' || tag === 'textarea') return '';
    let text = '';
    for (const child of childrenOf(element)) {
      text += nameText(child, depth + 1);
      if (text.length > left.text) break;
    }
    return text;
  };
  const namesOf = (elements: Iterable<Element | null>) =>
    clean([...elements].map((element) => (element === null ? '' : nameText(element))).join(' '));
  const referred = (element: Element, name: string) => {
    const ids = attribute(element, name)?.trim().split(/\s+/).slice(0, 20) ?? [];
    const tree = Node.prototype.getRootNode.call(element);
    return namesOf(ids.map((id) => byId(tree, id)));
  };
  const childOf = (element: Element, tag: string) =>
    [...childrenOf(element)].find((child) => typeOf(child) === 1 && tagOf(child) === tag) as Element | undefined;

  const isCloseable = (element: Element) => tagOf(element) === 'details' && !has(element, 'open');
  const inputType = (element: Element) => (tagOf(element) === 'input' ? (element as HTMLInputElement).type : '');
  const isSectioned = (element: Element) => element.closest('article,aside,main,nav,section') !== null;
  const isEditable = (element: Element) =>
    element instanceof HTMLElement &&
    has(element, 'contenteditable') &&
    attribute(element, 'contenteditable') !== 'false';

  const tagRole = (element: Element): string => {
    const tag = tagOf(element);
    if (tag === 'a' || tag === 'area') return has(element, 'href') || has(element, 'xlink:href') ? 'link' : '';
    if (tag === 'input') return words.ofInputs[inputType(element)] ?? (has(element, 'list') ? 'combobox' : 'textbox');
    if (tag === 'header' || tag === 'footer')
      return isSectioned(element) ? '' : tag === 'header' ? 'banner' : 'contentinfo';
    if (tag === 'select' && matches(element, '[multiple],[size]:not([size="1"])')) return 'listbox';
    if (tag === 'svg') return 'img';
    if (isEditable(element)) return 'textbox';
    return words.ofTags[tag] ?? '';
  };
  const roleOf = (element: Element): string => {
    const given = attribute(element, 'role');
    const role =
      given === null
        ? undefined
        : given
            .toLowerCase()
            .slice(0, 200)
            .split(/\s+/)
            .find((one) => ROLES.has(one));
    if (role === undefined) return tagRole(element);
    if (role === 'image') return 'img';
    return role === 'presentation' || role === 'none' || role === 'generic' ? '' : role;
  };

  const nativeName = (element: Element, tag: string): string => {
    if (tag === 'img' || tag === 'area' || inputType(element) === 'image') return clean(attribute(element, 'alt'));
    const input = element as HTMLInputElement;
    if (/^(?:button|submit|reset)$/.test(inputType(element)))
      return clean(input.value || (input.type === 'button' ? '' : input.type));
    if (tag === 'fieldset') return namesOf([childOf(element, 'legend') ?? null]);
    if (tag === 'table') return namesOf([childOf(element, 'caption') ?? null]);
    if (tag === 'svg') return namesOf([childOf(element, 'title') ?? null]);
    if (tag === 'iframe') return clean(attribute(element, 'title') || attribute(element, 'name'));
    const { labels } = input;
    return labels instanceof NodeList ? namesOf(labels as NodeListOf<Element>) : '';
  };
  const nameOf = (element: Element): string =>
    (has(element, 'aria-labelledby') ? referred(element, 'aria-labelledby') : '') ||
    clean(attribute(element, 'aria-label')) ||
    nativeName(element, tagOf(element));

  const activeElement = (() => {
    let active = activeOf(document);
    for (let inner = active && shadowOf(active); inner?.activeElement; inner = shadowOf(active))
      active = inner.activeElement;
    return active;
  })();
  const checkedState = (element: Element) => {
    const type = inputType(element);
    const given = attribute(element, 'aria-checked');
    if (type !== 'checkbox' && type !== 'radio') return given === 'true' ? 'checked' : given === 'mixed' ? 'mixed' : '';
    const { checked, indeterminate } = element as HTMLInputElement;
    return indeterminate ? 'mixed' : checked ? 'checked' : '';
  };
  const expandedState = (element: Element) => {
    const parent = tagOf(element) === 'summary' ? element.parentElement : null;
    const given = parent === null ? attribute(element, 'aria-expanded') : String(has(parent, 'open'));
    return given === 'true' ? 'expanded' : given === 'false' ? 'collapsed' : '';
  };
  const statesOf = (element: Element): string[] => {
    const isTrue = (name: string) => attribute(element, name) === 'true';
    const current = attribute(element, 'aria-current');
    return [
      checkedState(element),
      expandedState(element),
      isTrue('aria-selected') ? 'selected' : '',
      isTrue('aria-pressed') ? 'pressed' : '',
      current !== null && current !== '' && current !== 'false' ? 'current' : '',
      matches(element, ':disabled') || isTrue('aria-disabled') ? 'disabled' : '',
      matches(element, ':required') || isTrue('aria-required') ? 'required' : '',
      (matches(element, 'input,textarea') && has(element, 'readonly')) || isTrue('aria-readonly') ? 'readonly' : '',
      isTrue('aria-invalid') || matches(element, ':user-invalid') ? 'invalid' : '',
      matches(element, ':modal') ? 'modal' : '',
      element === activeElement ? 'focused' : '',
    ].filter((state) => state !== '');
  };

  const fieldValue = (element: Element): string | undefined => {
    const type = inputType(element);
    if (/^(?:checkbox|radio|button|submit|reset|image|password)$/.test(type)) return undefined;
    if (type === 'file')
      return clean([...((element as HTMLInputElement).files ?? [])].map(({ name }) => name).join(', '));
    const { value } = element as HTMLInputElement;
    return clean(value);
  };
  const shownValue = (element: Element): string | undefined => {
    const tag = tagOf(element);
    if (tag === 'input' || tag === 'textarea') return fieldValue(element);
    if (tag === 'select')
      return clean(
        [...(element as HTMLSelectElement).selectedOptions].map(({ label }) => collapsed(label).trim()).join(', '),
      );
    if (tag === 'progress' || tag === 'meter') return String((element as HTMLMeterElement).value);
    // biome-ignore lint/performance/useDomNodeTextContent: its paragraphs must not run together.
    if (isEditable(element)) return clean((element as HTMLElement).innerText);
    return clean(attribute(element, 'aria-valuetext') ?? attribute(element, 'aria-valuenow')) || undefined;
  };
  const addOptions = (draft: Draft, { options }: HTMLSelectElement) => {
    draft.optionCount = options.length;
    draft.options = [...options].slice(0, 200).map(({ label }) => clean(label));
  };

  const linkUrl = (element: Element): string => {
    if (!(element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement))
      return clean(attribute(element, 'href'));
    const { protocol, origin, pathname, search, hash, href } = element;
    if (protocol === 'javascript:' || protocol === 'data:') return protocol;
    if (origin !== location.origin || origin === 'null') return short(href, 300);
    const isHere = pathname === location.pathname && search === location.search && hash !== '';
    return short(isHere ? hash : pathname + search + hash, 300);
  };

  const attributeSize = (element: Element) => {
    let size = 100;
    for (const { name, value } of attributesOf(element)) size += name.length + value.length;
    return size;
  };
  const numbered = (() => {
    // Frames and elements cannot be named by a symbol.
    const place = Symbol.for('viaduct.numbered');
    const world = globalThis as unknown as Record<symbol, Numbered | undefined>;
    const kept = world[place];
    if (kept?.token === token) return kept;
    const made: Numbered = { token, numbers: new WeakMap(), next: 0 };
    world[place] = made;
    return made;
  })();
  const firstNew = numbered.next;
  const numberOf = (element: Element): number | undefined => {
    const size = attributeSize(element);
    if (size > left.attributes) return undefined;
    left.attributes -= size;
    found.push(element);
    numbered.numbers.set(element, numbered.next);
    return numbered.next++;
  };
  const returned = (element: Element): number | undefined => {
    if (left.acted <= 0) return undefined;
    left.acted -= 1;
    return numbered.numbers.get(element) ?? numberOf(element);
  };

  const labelled = (element: Element): boolean => {
    if (tagOf(element) !== 'label') return false;
    const { control } = element as HTMLLabelElement;
    if (!control || has(control, 'aria-label') || has(control, 'aria-labelledby')) return false;
    return control.checkVisibility({ visibilityProperty: true });
  };
  const isFocusable = (element: Element) => {
    const index = attribute(element, 'tabindex');
    return index !== null && !index.trim().startsWith('-');
  };
  const isClickable = (element: Element, style: CSSStyleDeclaration, { isActed, isMuted }: Surroundings) =>
    !isMuted &&
    !/^(?:body|html)$/.test(tagOf(element)) &&
    ((style.cursor === 'pointer' && !isActed) || has(element, 'onclick') || isFocusable(element));

  const draftOf = (element: Element, role: string, isActed: boolean): Draft => {
    const draft: Draft = { role };
    const isField = matches(element, 'input,select,textarea');
    const name = nameOf(element);
    const hint = clean(
      attribute(element, 'title') ||
        attribute(element, 'placeholder') ||
        attribute(element, 'aria-placeholder') ||
        (isField ? attribute(element, 'name') : ''),
    );
    if (name !== '') draft.name = name;
    else if (hint !== '') draft.hint = hint;
    const states = statesOf(element);
    if (states.length > 0) draft.states = states;
    if (role === 'heading')
      draft.level = Number(attribute(element, 'aria-level') ?? /^h(\d)$/.exec(tagOf(element))?.[1] ?? 2);
    if (role === 'link') draft.url = linkUrl(element);
    if (tagOf(element) === 'select') addOptions(draft, element as HTMLSelectElement);
    const value = shownValue(element);
    if (value) draft.value = value;
    if (inputType(element) === 'password' && (element as HTMLInputElement).value !== '') draft.isSecret = true;
    const index = isActed || role === 'frame' ? returned(element) : undefined;
    if (index !== undefined) draft.element = index;
    return draft;
  };

  const isAtomic = (element: Element) =>
    /^(?:input|textarea|select|img|svg|iframe|frame|canvas|video|audio|progress|meter|object|embed)$/.test(
      tagOf(element),
    ) || isEditable(element);
  const shownChildren = (element: Element): Iterable<Node> => {
    const shadow = shadowOf(element);
    if (shadow !== null) return childrenOf(shadow);
    if (element instanceof HTMLSlotElement) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    if (isCloseable(element))
      return [...childrenOf(element)].filter((child) => typeOf(child) === 1 && tagOf(child) === 'summary').slice(0, 1);
    return childrenOf(element);
  };
  const isNamer = (element: Element) => {
    const tag = tagOf(element);
    return (tag === 'legend' || tag === 'caption') && !element.querySelector('a,button,input,select,textarea');
  };
  const breakLine = (out: PageItem[]) => {
    if (out.at(-1) !== 0) out.push(0);
  };
  const isTooSmall = (element: Element) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    return width <= 1 || height <= 1;
  };

  const readText = (text: string, out: PageItem[], { isMuted, isHidden }: Surroundings) => {
    if (isMuted || isHidden || text === '') return;
    const kept = short(collapsed(text.slice(0, 4 * left.text)));
    const last = out.at(-1);
    if (kept === '' || (kept === ' ' && (last === 0 || last === undefined))) return;
    if (typeof last === 'string' && last.length < left.text) out[out.length - 1] = last + kept;
    else out.push(kept);
  };
  const isLeftOut = (element: Element, style: CSSStyleDeclaration) =>
    style.display === 'none' ||
    attribute(element, 'aria-hidden') === 'true' ||
    has(element, 'inert') ||
    inputType(element) === 'hidden' ||
    isNamer(element);
  const readElement = (element: Element, out: PageItem[], around: Surroundings) => {
    if (left.elements-- <= 0) isStopped = true;
    if (isStopped || SKIPPED.has(tagOf(element))) return;
    const style = getComputedStyle(element);
    if (isLeftOut(element, style)) return;
    if (tagOf(element) === 'br') return breakLine(out);
    const isMuting = labelled(element);
    const role = roleOf(element);
    const isActed =
      ACTED.has(role) || tagOf(element) === 'select' || (!isMuting && isClickable(element, style, around));
    const inside = {
      isActed: around.isActed || isActed || isMuting,
      isMuted: isMuting || (around.isMuted && role === ''),
      isHidden: style.visibility !== 'visible',
      nesting: around.nesting,
    };
    readInside(element, out, { role, isActed, style, inside });
  };
  const readInside = (
    element: Element,
    out: PageItem[],
    {
      role,
      isActed,
      style,
      inside,
    }: { role: string; isActed: boolean; style: CSSStyleDeclaration; inside: Surroundings },
  ) => {
    const isBlock = style.display !== 'contents' && !style.display.startsWith('inline');
    const isShown =
      !inside.isHidden &&
      inside.nesting < MAX_NESTING &&
      (role !== '' || isActed) &&
      !(role === 'frame' && isTooSmall(element));
    if (isBlock) breakLine(out);
    const draft = isShown ? draftOf(element, role || 'clickable', isActed) : undefined;
    const items: PageItem[] = draft === undefined ? out : [];
    if (!isAtomic(element) && style.contentVisibility !== 'hidden')
      for (const child of shownChildren(element))
        read(child, items, draft === undefined ? inside : { ...inside, nesting: inside.nesting + 1 });
    if (draft !== undefined && items.length > 0) draft.items = items;
    if (draft !== undefined) out.push(draft);
    if (isBlock) breakLine(out);
    else if (style.display !== 'inline') readText(' ', out, inside);
  };
  const read = (node: Node, out: PageItem[], around: Surroundings): void => {
    const type = typeOf(node);
    if (type === 3) readText(textOf(node) ?? '', out, around);
    else if (type === 1 && depth < MAX_DEPTH) {
      depth += 1;
      readElement(node as Element, out, around);
      depth -= 1;
    } else if (type === 1) isTooDeep = true;
  };

  const items: PageItem[] = [];
  const start = root ?? bodyOf(document) ?? outermostOf(document);
  if (start !== null) read(start, items, { isActed: false, isMuted: false, isHidden: false, nesting: 0 });
  const reading: PageReading = {
    title: clean(titleOf(document)),
    url: location.href.slice(0, 2_000),
    items,
    isCut: isStopped || isTooDeep,
    firstNew,
  };
  return [JSON.stringify(reading), document, ...found];
}
