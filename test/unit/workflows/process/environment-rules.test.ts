import { describe, expect, test } from 'vitest';
import { variableRules } from '../../../../src/workflows/process/environment-rules.ts';
import { processSetup } from './process-setup.ts';

const REFUSED = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PERL5OPT',
  'RUBYOPT',
  'BASH_ENV',
  'ENV',
  'BASH_FUNC_ls%%',
  'GIT_SSH_COMMAND',
  'GIT_CONFIG_COUNT',
  'GIT_EXTERNAL_DIFF',
  'GIT_AUTHOR_NAME_X',
  'PATH',
  'JAVA_TOOL_OPTIONS',
  'npm_config_script_shell',
  'NPM_CONFIG_NODE_OPTIONS',
  'HOME',
  'VIADUCT_CONFIG',
  'VIADUCT_TREE',
  'ld_preload',
];
const FREE = [
  'GREETING',
  'LANG',
  'TERM',
  'TZ',
  'CI',
  'NODE_ENV',
  'DEBUG',
  'PYTHONUNBUFFERED',
  'LDFLAGS',
  'ENVIRONMENT',
  'PATHS',
];
const GIT_FREE = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_DATE', 'GIT_TERMINAL_PROMPT'];

test.each(REFUSED)('%s is not set by clients', (name) => {
  expect(variableRules([])(name)).toBe(false);
});

test.each([...FREE, ...GIT_FREE])('%s is set by clients', (name) => {
  expect(variableRules([])(name)).toBe(true);
});

describe('allowEnv', () => {
  test('lets pass what its globs name, and nothing else', () => {
    const maySet = variableRules(['PYTHON*', 'PATH']);
    expect(['PYTHONPATH', 'PATH', 'GREETING'].map(maySet)).toEqual([true, true, true]);
    expect(['LD_PRELOAD', 'NODE_OPTIONS', 'XPATH_X'].map(maySet)).toEqual([false, false, true]);
  });

  test('is what the error tells to use, and nothing is started without it', async () => {
    const { call, output, ended } = processSetup();
    const failed = await call('start', { command: 'env', env: ['GREETING=hi', 'LD_PRELOAD=/x.so'] }).catch(
      (error) => error,
    );
    expect(failed).toMatchObject({
      code: 'COMMAND_DENIED',
      message: expect.stringMatching(/^"LD_PRELOAD" may not be set: .*workflows\.process\.allowEnv$/),
    });
    expect(await call('list')).toMatchObject({ total: 0 });
    const { id } = await call('start', { command: 'env', env: ['GREETING=hi'] });
    await ended(id);
    expect(await output(id)).toContain('GREETING=hi');
    const allowing = processSetup({ allowEnv: ['LD_*'] });
    const started = await allowing.call('start', { command: 'env', env: ['LD_BIND_NOW=1'] });
    await allowing.ended(started.id);
    expect(await allowing.output(started.id)).toContain('LD_BIND_NOW=1');
  });
});
