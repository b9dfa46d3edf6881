import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addBlock,
  removeBlock,
  withoutBlocks,
} from '../../../../../src/workflows/checkpoint/adapters/files/managed-block.ts';

const text = { header: '', body: (agents: readonly string[]) => `For ${agents.join(' and ')}.` };

describe('a block of ours', () => {
  test('comes after what the user wrote', () => {
    expect(addBlock('# Mine\n', 'codex', text)).toBe(
      '# Mine\n\n<!-- viaduct:begin agents=codex -->\nFor codex.\n<!-- viaduct:end -->\n',
    );
  });

  test('is for all agents that read the file', () => {
    const both = addBlock(addBlock('# Mine\n', 'zed', text), 'codex', text);
    expect(both).toContain('For codex and zed.');
    expect(removeBlock(both, 'codex', text)).toBe(addBlock('# Mine\n', 'zed', text));
  });

  test('stays while it is for another agent', () => {
    const one = addBlock(undefined, 'zed', text);
    expect(removeBlock(one, 'codex', text)).toBe(one);
  });

  test('leaves no file behind that had nothing else in it', () => {
    const options = { ...text, header: '---\nalwaysApply: true\n---\n\n' };
    const file = addBlock(undefined, 'cursor', options);
    expect(file.startsWith(options.header)).toBe(true);
    expect(removeBlock(file, 'cursor', options)).toBeUndefined();
  });

  test('stays where its user has put it', () => {
    const moved = `top\n${addBlock(undefined, 'codex', text)}bottom\n`;
    expect(addBlock(moved, 'codex', text)).toBe(moved);
    expect(removeBlock(moved, 'codex', text)).toBe('top\nbottom\n');
  });

  test('leaves lines that others have put into it', () => {
    const mixed = addBlock('# Mine\n', 'codex', text).replace('For codex.', 'For codex.\n- Theirs');
    expect(removeBlock(mixed, 'codex', text)).toBe('# Mine\n\n- Theirs\n');
    expect(addBlock(mixed, 'zed', text)).toBe(
      `${addBlock(addBlock('# Mine\n', 'codex', text), 'zed', text)}- Theirs\n`,
    );
  });

  test('is left alone where our own lines were changed', () => {
    const changed = addBlock('# Mine\n', 'codex', text).replace('For codex.', 'For Codex, always.');
    for (const edit of [() => addBlock(changed, 'zed', text), () => removeBlock(changed, 'codex', text)]) {
      expect(edit).toThrow('the text between its marks "viaduct:begin" and "viaduct:end" was changed');
    }
  });

  test('begins at the mark that is nearest to its end', () => {
    const torn = '<!-- viaduct:begin agents=codex -->\n# Mine\n';
    const both = addBlock(torn, 'codex', text);
    expect(both.startsWith(torn)).toBe(true);
    expect(addBlock(both, 'codex', text)).toBe(both);
    expect(removeBlock(both, 'codex', text)).toBe(torn);
  });

  test('keeps a byte order mark and the line ends of a file without text', () => {
    expect(addBlock('\uFEFF\r\n', 'codex', text)).toMatch(
      /^\uFEFF<!-- viaduct:begin agents=codex -->\r\nFor codex\.\r\n/,
    );
  });

  test('is not what the project says', () => {
    expect(withoutBlocks(addBlock('# Mine\n', 'codex', text))).toBe('# Mine');
  });
});

test('adding twice is adding once, and removing gives back what was there', () => {
  const line = fc.string().filter((part) => !part.includes('viaduct:') && !/[\r\n]/.test(part));
  const file = fc
    .tuple(fc.array(line, { minLength: 1 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end) + end)
    .filter((content) => content.trim() !== '' && !/\n\s*\n$/.test(content));
  fc.assert(
    fc.property(file, (content) => {
      const once = addBlock(content, 'codex', text);
      expect(addBlock(once, 'codex', text)).toBe(once);
      expect(once.startsWith(content)).toBe(true);
      expect(removeBlock(once, 'codex', text)).toBe(content);
    }),
  );
});
