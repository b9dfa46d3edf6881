import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { docx, docxOf } from '../../../../fixtures/documents/docx.ts';
import { pdf, pdfOf } from '../../../../fixtures/documents/pdf.ts';
import { DocumentReader } from '../../../../src/knowledge/documents/document-reader.ts';
import { atEnd } from '../../../support/shared.ts';

const { signal } = new AbortController();
const reader = new DocumentReader();
afterAll(() => reader.close());

const read = (path: string, content: string | Uint8Array, by = reader) =>
  by.read(path, typeof content === 'string' ? Buffer.from(content) : content, signal);

async function textOf(path: string, content: string | Uint8Array): Promise<string> {
  return (await read(path, content)).map(({ text }) => text).join('\n---\n');
}

/** Ends with the test. */
function impatient(options: ConstructorParameters<typeof DocumentReader>[0]): DocumentReader {
  const other = new DocumentReader(options);
  atEnd(() => other.close());
  return other;
}

describe('what is read', () => {
  test('Markdown by its sections', async () => {
    expect(await read('a.md', '# T\n\n## One\ntext\n## Two\nmore')).toEqual([
      { text: '# T', section: '' },
      { text: '## One\ntext', section: 'One' },
      { text: '## Two\nmore', section: 'Two' },
    ]);
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFgrüezi')],
    ['UTF-16', Buffer.from('\uFEFFgrüezi', 'utf16le')],
  ])('text in %s', async (_, bytes) => {
    expect(await textOf('a.txt', bytes)).toBe('grüezi');
  });

  test('source files by their chunks', async () => {
    const chunks = await read('src/add.ts', 'export function add(a: number, b: number) {\n  return a + b;\n}\n');
    expect(chunks.map(({ text }) => text).join('\n')).toContain('return a + b;');
  });

  test('the article of a page, with its headings, code and tables, and without scripts and menus', async () => {
    const filler = 'A sentence that makes an article of it, as pages have them. '.repeat(10);
    const html = `<!doctype html><html><head><title>Guide</title><script>alert(1)</script></head><body><nav><a href="/">Home menu</a></nav><article><h1>Guide</h1><h2>Install &amp; run</h2><p>${filler}</p><p>See <a href="https://example.com/long">the manual</a>.</p><pre><code>npm ci</code></pre><table><tr><th>key</th><th>value</th></tr><tr><td>a</td><td>1</td></tr></table></article></body></html>`;
    const text = await textOf('guide.html', html);
    expect(text).toContain('# Guide');
    expect(text).toContain('## Install & run');
    expect(text).toContain('See the manual.');
    expect(text).toContain('```\nnpm ci\n```');
    expect(text).toContain('| key | value |\n| a | 1 |');
    expect(text).not.toMatch(/alert|Home menu|example\.com/);
  });

  test('a short page as a whole', async () => {
    expect(await textOf('a.htm', '<title>T</title><h2>Short</h2><p>one</p><script>x()</script>')).toContain(
      '## Short\n\none',
    );
  });

  test('a page in the encoding that it says', async () => {
    const bytes = Buffer.from('<meta charset="windows-1252"><p>caf\u00e9</p>', 'latin1');
    expect(await textOf('a.html', bytes)).toContain('café');
  });

  test('a document of Word, by its headings', async () => {
    const bytes = docx([{ text: 'Title', heading: 1 }, { text: 'Part one', heading: 2 }, { text: 'Some words.' }]);
    expect(await read('a.docx', bytes)).toEqual([
      { text: '# Title', section: '' },
      { text: '## Part one\n\nSome words.', section: 'Part one' },
    ]);
  });

  test('a PDF, with its lines as paragraphs', async () => {
    const bytes = pdf([[['First line', 'and its end.'], ['Next paragraph.']], [['On page two.']]]);
    expect(await textOf('a.pdf', bytes)).toBe('First line and its end.\n\nNext paragraph.\n\nOn page two.');
  });

  test.each(['a.md', 'a.html', 'a.go', 'a.docx', 'a.pdf'])('a blank %s has no chunks', async (path) => {
    const blank = path.endsWith('docx') ? docx([{ text: ' ' }]) : path.endsWith('pdf') ? pdf([[]]) : ' \n ';
    expect(await read(path, blank)).toEqual([]);
  });

  test('secrets are taken out, also those that reach over the end of a chunk', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7d8f9a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d\n'.repeat(12)}-----END RSA PRIVATE KEY-----`;
    const text = await textOf('notes.md', `## Keys\n\n${key}\n\nghp_0123456789abcdefghijABCDEFGHIJ456789\n`);
    expect(text).not.toMatch(/MIIEow|ghp_0123/);
    expect(text).toContain('[redacted:');
  });
});

describe('what cannot be read says why', () => {
  test.each([
    ['binary.txt', Buffer.from([1, 0, 2, 255]), 'it is no text in UTF-8 or UTF-16'],
    ['latin1.md', Buffer.from('caf\u00e9', 'latin1'), 'it is no text in UTF-8 or UTF-16'],
    ['a.docx', Buffer.from('no archive'), 'it is damaged, or no document of Word (.docx)'],
    ['b.docx', docxOf({ name: 'elsewhere.xml', data: Buffer.from('<a/>') }), 'it cannot be read ('],
    ['a.pdf', Buffer.from('no PDF at all'), 'it is damaged, or no PDF ('],
  ])('%s', async (path, bytes, words) => {
    await expect(read(path, bytes)).rejects.toThrow(words);
  });

  test('and the next document is read as usual', async () => {
    await expect(read('a.pdf', '%PDF-1.4 nothing')).rejects.toThrow('no PDF');
    expect(await textOf('a.txt', 'fine')).toBe('fine');
  });
});

describe('hostile documents', () => {
  test('an archive that says it becomes large is not unpacked', async () => {
    const bomb = docxOf({ name: 'word/document.xml', data: Buffer.alloc(130 * 1024 ** 2, 'a') });
    expect(bomb.length).toBeLessThan(1024 ** 2);
    await expect(read('bomb.docx', bomb)).rejects.toThrow('which is too much');
  });

  test('one that lies about it costs no more memory than is allowed', async () => {
    const bomb = docxOf({ name: 'word/document.xml', data: Buffer.alloc(192 * 1024 ** 2, 'a'), saidLength: 1_000 });
    const strict = impatient({ growthBytes: 48 * 1024 ** 2 });
    await expect(read('liar.docx', bomb, strict)).rejects.toThrow(
      /too much memory|cannot be read|nested too deeply|damaged/,
    );
    expect(await read('a.txt', 'fine', strict)).toHaveLength(1);
  });

  test('entities of XML are not expanded, and none from elsewhere is fetched', async () => {
    let visits = 0;
    const server = createServer((_, response) => {
      visits++;
      response.end('fetched');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
    const doctype = `<!DOCTYPE w [<!ENTITY l0 "lol"><!ENTITY out SYSTEM "${url}">${laughs}]>`;
    const outcome = await read('x.docx', docx([{ text: '&l9;&out;' }], doctype)).catch((error: Error) => error.message);
    expect(JSON.stringify(outcome)).not.toContain('lollol');
    const html = `<img src="${url}"><script src="${url}"></script><link rel="stylesheet" href="${url}"><iframe src="${url}"></iframe><p>text</p>`;
    expect(await textOf('x.html', html)).toContain('text');
    expect(visits).toBe(0);
  });

  test('a page of a million nested tags ends in time', async () => {
    const strict = impatient({ readMs: 1_500 });
    const nested = read('deep.html', '<div>'.repeat(1_000_000), strict);
    await expect(nested).rejects.toThrow(/takes more than 1.5 s|nested too deeply|too much memory/);
    expect(await read('a.txt', 'fine', strict)).toHaveLength(1);
  });

  test('a PDF whose page unpacks to gigabytes, and one that refers to itself, end', async () => {
    const packed = deflateSync(Buffer.alloc(300 * 1024 ** 2, '('));
    const page = Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
    );
    const head = [
      Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
      Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    ];
    const content = Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]);
    const strict = impatient({ readMs: 8_000, growthBytes: 128 * 1024 ** 2 });
    await expect(read('bomb.pdf', pdfOf([...head, page, content]), strict)).rejects.toThrow(
      /too much memory|takes more than/,
    );
    const loop = pdfOf([head[0]!, Buffer.from('<< /Type /Pages /Kids [2 0 R] /Count 1 >>')]);
    const outcome = await read('loop.pdf', loop, strict).catch((error: Error) => error.message);
    expect(outcome).toEqual(expect.anything());
  });

  test('the process does other things meanwhile', async () => {
    const strict = impatient({ readMs: 1_000 });
    let isDone = false;
    const slow = read('deep.html', '<div>'.repeat(300_000), strict).catch(() => undefined);
    void slow.then(() => (isDone = true));
    let turns = 0;
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(turns).toBeGreaterThan(100);
  });
});

test('a call that is cancelled ends at once, and those behind it are read', async () => {
  const strict = impatient({});
  const call = new AbortController();
  const slow = strict.read('deep.html', Buffer.from('<div>'.repeat(1_000_000)), call.signal);
  const next = read('a.txt', 'fine', strict);
  setTimeout(() => call.abort(new Error('gone')), 50);
  await expect(slow).rejects.toThrow('gone');
  expect(await next).toHaveLength(1);
});

test('nothing is read after the end', async () => {
  const closed = new DocumentReader();
  await closed.close();
  await expect(read('a.txt', 'x', closed)).rejects.toThrow('the gateway ends');
});
