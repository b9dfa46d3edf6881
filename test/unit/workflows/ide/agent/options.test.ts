import { expect, test } from 'vitest';
import { agentOptions } from '../../../../../src/workflows/ide/agent/options.ts';

const faultsOf = (options: object) => {
  const { error } = agentOptions.safeParse({ command: ['a', '{prompt}'], ...options });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test.each([
  [{}],
  [{ command: ['/usr/bin/agent', '-p={prompt}', '{folder}', '{sessionId}', 'a{b', '{}', '{"x":1}'] }],
  [{ command: ['agent'], stdin: true }],
  [{ format: 'json', answerAt: 'result', costAt: 'cost.usd', maxCostUsd: 1 }],
  [{ format: 'jsonl', answerAt: 'a.b', where: { 'a.c': true }, errorAt: 'e' }],
  [{ env: ['ANTHROPIC_API_KEY'] }],
])('%j is taken', (options) => {
  expect(faultsOf(options)).toBeUndefined();
});

test.each([
  [{ command: ['./agent', '{prompt}'] }, 'command.0: must be a name'],
  [{ command: ['sub/agent', '{prompt}'] }, 'command.0: must be a name'],
  [{ command: ['{prompt}'] }, 'command.0: must be a name'],
  [{ command: ['', '{prompt}'] }, 'command.0: must be a name'],
  [{ command: ['-x', '{prompt}'] }, 'command.0: must be a name'],
  [{ command: ['a', '{promt}'] }, 'command.1: {promt} is not replaced: known are {prompt}'],
  [{ command: ['a', 'b\0', '{prompt}'] }, 'command.1: must not have a NUL'],
  [{ command: ['a'] }, 'command: the prompt goes either'],
  [{ stdin: true }, 'command: the prompt goes either'],
  [{ command: ['a', '{prompt}', '{maxCostUsd}'] }, 'command: {maxCostUsd} needs maxCostUsd'],
  [{ format: 'json', answerAt: 'a', maxCostUsd: 1 }, 'maxCostUsd: maxCostUsd needs costAt'],
  [{ format: 'json' }, 'answerAt: format: json needs answerAt'],
  [{ answerAt: 'a' }, 'format: answerAt, errorAt and costAt need'],
  [{ format: 'json', answerAt: 'a..b' }, 'answerAt: must be names of members'],
  [{ where: { a: 1 } }, 'where: where needs format: jsonl'],
  [{ env: ['VIADUCT_HOME'] }, 'env.0: VIADUCT_HOME belongs to the gateway'],
  [{ env: ['A=b'] }, 'env.0: must be the name of a variable'],
])('%j is refused', (options, fault) => {
  expect(faultsOf(options)?.join('\n')).toContain(fault);
});
