import { expect, test } from 'vitest';
import { categoryOf } from '../../../../src/knowledge/documents/category.ts';
import { kindOf } from '../../../../src/knowledge/documents/document-kind.ts';

test.each([
  ['docs/Flux/button.md', 'ui-component'],
  ['lib/ui/component/card.md', 'ui-component'],
  ['ui/other.md', 'documentation'],
  ['Brand/voice.md', 'brand'],
  ['the-mascot.md', 'brand'],
  ['briefs/q3.md', 'product-brief'],
  ['help/login.md', 'help-doc'],
  ['drafts/post.md', 'help-doc'],
  ['tasks/one.md', 'task'],
  ['planning.md', 'task'],
  ['docs/architecture.md', 'architecture'],
  ['migrations/2.md', 'architecture'],
  ['help/architecture.md', 'help-doc'],
  ['README.md', 'documentation'],
])('%s is %s', (path, category) => {
  expect(categoryOf(path)).toBe(category);
});

test.each([
  ['a/b.MD', 'markdown'],
  ['b.markdown', 'markdown'],
  ['notes.txt', 'text'],
  ['x.HTM', 'html'],
  ['x.docx', 'docx'],
  ['x.tar.pdf', 'pdf'],
  ['main.go', 'source'],
  ['md', 'source'],
  ['folder.md/Makefile', 'source'],
])('%s is read as %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
