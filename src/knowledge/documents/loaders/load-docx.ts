import { checkZip } from './check-zip.ts';
import { toMarkdown } from './load-html.ts';
import { loadPackage } from './load-package.ts';

/** Returns a document of Word as Markdown, without its pictures. Nothing that it refers to is fetched. */
export async function loadDocx(bytes: Uint8Array): Promise<string> {
  checkZip(bytes);
  const { default: mammoth } = await loadPackage('mammoth', () => import('mammoth'));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const options = {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    externalFileAccess: false,
  };
  const { value } = await mammoth.convertToHtml({ buffer }, options);
  return toMarkdown(value);
}
