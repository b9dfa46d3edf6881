import { expect, test } from 'vitest';
import { checkDocuments } from '../../../../../src/commands/doctor/checks/documents-check.ts';

test('the packages that read documents are installed here', () => {
  expect(checkDocuments()).toEqual({ name: 'documents', mark: 'ok', text: 'HTML, Word and PDF can be read' });
});

test('those that are missing are named, with what they are for', () => {
  expect(checkDocuments([{ name: 'mammoth', documents: '.docx' }])).toMatchObject({
    mark: 'warn',
    text: 'optional packages are not installed: mammoth (for .docx)',
  });
});
