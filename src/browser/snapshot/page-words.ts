/** Words that a reading needs. Functions that run in a page see nothing outside themselves, so these are arguments. */
export const PAGE_WORDS = {
  /** Elements that show nothing. */
  skipped: 'script style noscript template head link meta datalist source track param map colgroup',
  /** Roles of ARIA that mean something to a reader, and those that take an element's own role away. */
  roles:
    'alert alertdialog article banner button cell checkbox columnheader combobox complementary contentinfo dialog ' +
    'feed figure form grid gridcell group heading img image link list listbox listitem log main math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation option progressbar radio radiogroup region row ' +
    'rowheader scrollbar search searchbox separator slider spinbutton status switch tab table tablist tabpanel ' +
    'textbox timer toolbar tooltip tree treegrid treeitem presentation none generic',
  /** Roles that are acted upon. */
  acted:
    'button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton ' +
    'switch tab textbox treeitem file color date datetime-local month time week video audio canvas',
  /** Roles of elements without one of their own. */
  ofTags: {
    article: 'article',
    aside: 'complementary',
    audio: 'audio',
    button: 'button',
    canvas: 'canvas',
    details: 'group',
    dialog: 'dialog',
    fieldset: 'group',
    form: 'form',
    frame: 'frame',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hr: 'separator',
    iframe: 'frame',
    img: 'img',
    li: 'listitem',
    main: 'main',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    progress: 'progressbar',
    search: 'search',
    section: 'region',
    select: 'combobox',
    summary: 'button',
    table: 'table',
    td: 'cell',
    textarea: 'textbox',
    th: 'columnheader',
    tr: 'row',
    ul: 'list',
    video: 'video',
  } as Readonly<Record<string, string>>,
  ofInputs: {
    button: 'button',
    checkbox: 'checkbox',
    color: 'color',
    date: 'date',
    'datetime-local': 'datetime-local',
    file: 'file',
    image: 'button',
    month: 'month',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
    time: 'time',
    week: 'week',
  } as Readonly<Record<string, string>>,
};

export type PageWords = typeof PAGE_WORDS;
