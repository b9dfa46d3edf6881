import { expect, test } from 'vitest';
import { contextText } from '../../../../src/workflows/rag/context-text.ts';

const passage = { text: 'a < b', source: 's', section: '', category: 'documentation', chunkIndex: 0 };

test('no passages, no text', () => {
  expect(contextText([])).toBe('');
});

test('a document a passage, with an empty line behind each', () => {
  expect(contextText([passage, { ...passage, text: 'two', section: `"It's" & more` }])).toBe(
    `<retrieved_context>
<document source="s" section="" category="documentation">
a &lt; b
</document>

<document source="s" section="&#34;It&#39;s&#34; &amp; more" category="documentation">
two
</document>

</retrieved_context>`,
  );
});
