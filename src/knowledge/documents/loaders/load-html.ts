import type TurndownService from 'turndown';
import { decodeHtml } from './decode-text.ts';
import { loadPackage } from './load-package.ts';

/** A page with less text than this in its article has more to say beside it. */
const SHORT_ARTICLE = 200;
/** Elements of a page that hold no text. */
const NO_TEXT = 'head, script, style, noscript, template, iframe, object, svg, canvas, nav';

/** Returns the article of a page as Markdown; if there is none, all of its text. Nothing in the page is fetched or run. */
export async function loadHtml(bytes: Uint8Array): Promise<string> {
  const { Readability } = await loadPackage('@mozilla/readability', () => import('@mozilla/readability'));
  const { parseHTML } = await loadPackage('linkedom', () => import('linkedom'));
  const html = wholePage(decodeHtml(bytes));
  // The reader of articles takes the page apart.
  const article = new Readability(parseHTML(html).document, { keepClasses: true }).parse();
  const { document } = parseHTML(html);
  const title = (article?.title ?? document.title).trim();
  for (const element of document.querySelectorAll(NO_TEXT)) element.remove();
  const isArticle = (article?.textContent?.trim().length ?? 0) >= SHORT_ARTICLE;
  const body = isArticle ? article!.content! : document.documentElement.innerHTML;
  const text = await toMarkdown(body);
  return title === '' || text.startsWith('# ') ? text : `# ${title}\n\n${text}`;
}

/** Many pages leave out the outermost tags, which browsers add and the parser here does not. */
function wholePage(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<html>${html}</html>`;
}

/** Returns HTML as Markdown: headings, lists, code and tables as they are, links and images as their texts. */
export async function toMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await loadPackage('turndown', () => import('turndown'));
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  for (const [name, rule] of Object.entries(RULES)) service.addRule(name, rule);
  return service.turndown(html);
}

/** Addresses of links say little about the meaning of a text, and much of its length. */
const RULES: Readonly<Record<string, TurndownService.Rule>> = {
  link: { filter: 'a', replacement: (content) => content },
  image: { filter: 'img', replacement: (_, node) => (node as { alt?: string }).alt ?? '' },
  cell: { filter: ['th', 'td'], replacement: (content) => ` ${content.trim().replaceAll('\n', ' ')} |` },
  row: { filter: 'tr', replacement: (content) => `|${content}\n` },
  rows: { filter: ['table'], replacement: (content) => `\n\n${content.trim()}\n\n` },
};
