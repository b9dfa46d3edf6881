export type FillAnswer =
  | { readonly kind: 'done' }
  /** It takes text, as `beginTyping` expects it. */
  | { readonly kind: 'text' }
  /** It takes paths of files. */
  | { readonly kind: 'file'; readonly isMultiple: boolean }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Gives a field another value, as a user would, with the events that follow.
 * @param value for lists: the labels or values of the options; for boxes to check: a boolean
 */
export function fillField(element: Element, value: string | boolean | readonly string[]): FillAnswer {
  const DONE: FillAnswer = { kind: 'done' };
  const FORMS = new Map([
    ['date', 'a date such as 2026-01-31'],
    ['time', 'a time such as 13:45'],
    ['datetime-local', 'a date and time such as 2026-01-31T13:45'],
    ['month', 'a month such as 2026-01'],
    ['week', 'a week such as 2026-W05'],
    ['number', 'a number such as 1.5'],
    ['color', 'a colour such as #1e90ff'],
    ['range', 'a number between its least and greatest value, in its steps'],
  ]);
  const BUTTONS = ['button', 'submit', 'reset', 'image'];
  const refused = (why: string): FillAnswer => ({ kind: 'refused', why });
  const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text);
  const tell = (field: Element) => {
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const isTaken = ({ type, value: now }: HTMLInputElement, wanted: string) => {
    if (type === 'range') return Number(now) === Number(wanted);
    return type === 'color' ? now === wanted.toLowerCase() : now !== '' || wanted === '';
  };
  const setValue = (input: HTMLInputElement, wanted: string): FillAnswer => {
    const before = input.value;
    input.focus({ preventScroll: true });
    input.value = wanted;
    if (!isTaken(input, wanted)) {
      input.value = before;
      return refused(`takes ${FORMS.get(input.type)}, not ${quoted(wanted)}`);
    }
    tell(input);
    return DONE;
  };
  const check = (input: HTMLInputElement): FillAnswer => {
    const wanted =
      typeof value === 'boolean'
        ? value
        : new Map([
            ['true', true],
            ['false', false],
          ]).get(String(value));
    if (wanted === undefined) return refused(`takes true or false, not ${quoted(String(value))}`);
    if (input.type === 'radio' && !wanted && input.checked)
      return refused('is a radio button, which is turned off by turning on another one of its group');
    if (input.checked !== wanted) input.click();
    return input.checked === wanted ? DONE : refused('was turned back by the page');
  };
  const optionFor = (list: HTMLSelectElement, wanted: string) => {
    const options = [...list.options];
    return (
      options.find(({ label }) => label.trim() === wanted.trim()) ?? options.find(({ value: key }) => key === wanted)
    );
  };
  const choose = (list: HTMLSelectElement, wanted: readonly string[]): FillAnswer => {
    if (wanted.length !== 1 && !list.multiple) return refused('is a list from which one option is chosen');
    const chosen = wanted.map((one) => optionFor(list, one));
    const missing = wanted.find((_, index) => chosen[index] === undefined);
    if (missing !== undefined) {
      const shown = [...list.options].slice(0, 20).map(({ label }) => quoted(label.trim()));
      const more = list.options.length > 20 ? ' and more' : '';
      return refused(`has no option ${quoted(missing)}: it has ${shown.join(', ')}${more}`);
    }
    const off = chosen.find((option) => option?.matches(':disabled'));
    if (off !== undefined) return refused(`has the option ${quoted(off!.label)}, but it is disabled`);
    list.focus({ preventScroll: true });
    for (const option of list.options) option.selected = chosen.includes(option);
    tell(list);
    return DONE;
  };
  const fillInput = (input: HTMLInputElement): FillAnswer => {
    if (input.type === 'checkbox' || input.type === 'radio') return check(input);
    if (input.type === 'file') return { kind: 'file', isMultiple: input.multiple };
    if (BUTTONS.includes(input.type)) return refused('is a button: use webview_click');
    if (typeof value !== 'string') return refused('takes a text');
    if (input.type === 'hidden') return refused('is hidden, so users cannot fill it');
    if (!FORMS.has(input.type)) return { kind: 'text' };
    return input.readOnly ? refused('can only be read') : setValue(input, value);
  };
  const fill = (field: Element): FillAnswer => {
    if (!field.isConnected) return refused('is not on the page any more: look at the page again');
    if (field.matches(':disabled')) return refused('is disabled');
    field.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    if (field instanceof HTMLInputElement) return fillInput(field);
    if (typeof value === 'boolean') return refused('takes a text, not true or false');
    if (field instanceof HTMLSelectElement) return choose(field, typeof value === 'string' ? [value] : value);
    return typeof value === 'string' ? { kind: 'text' } : refused('takes one text');
  };
  return fill(element instanceof HTMLLabelElement ? (element.control ?? element) : element);
}

/** Deletes what is selected in the field that has the focus. */
export function deleteSelection(): void {
  document.execCommand('delete');
}
