import { describe, expect, test } from 'vitest';
import { issuesOf, parse } from '../parse-text.ts';

const config = (profiles: string) => `schemaVersion: 1
upstreams:
  github: { command: a }
  files: { command: b, disabled: true }
profiles:
${profiles}`;

const last = (profiles: string) => issuesOf(config(profiles)).map((issue) => issue.replace(/^(\d+):/, 'L:'));

describe('profiles', () => {
  test('limit what they name and nothing else', () => {
    const text = config(
      '  a: { upstreams: [github, files], tools: { deny: [x_*] } }\n  b: { workflows: [checkpoints] }',
    );
    expect(parse(text).profiles).toEqual({
      a: { upstreams: ['github', 'files'], workflows: 'all', tools: { allow: ['*'], deny: ['x_*'] } },
      b: { upstreams: 'all', workflows: ['checkpoints'], tools: { allow: ['*'], deny: [] } },
    });
  });

  test('name projects by globs: all of them with *, none with an empty list', () => {
    const { a, b, c } = parse(
      config('  a: { projects: [acme-*] }\n  b: { projects: ["*", x] }\n  c: { projects: [] }'),
    ).profiles;
    expect(a?.projects).toEqual([['acme-*']]);
    expect(b).not.toHaveProperty('projects');
    expect(c?.projects).toEqual([[]]);
  });

  test('name projects by globs that can be read', () => {
    expect(last('  a: { projects: [""] }')).toEqual([expect.stringContaining('L:')]);
    expect(last('  a: { project: [acme] }')).toEqual([expect.stringContaining('did you mean "projects"?')]);
  });

  test('may name nobody, which is not the same as naming none', () => {
    expect(parse(config('  a: { upstreams: [], workflows: [] }')).profiles.a).toMatchObject({
      upstreams: [],
      workflows: [],
    });
  });

  test.each([
    [
      '  a: { upstreams: [gitub] }',
      'L:20 profiles.a.upstreams[0]: there is no upstream "gitub" -> did you mean "github"?',
    ],
    [
      '  a: { upstreams: [nobody] }',
      'L:20 profiles.a.upstreams[0]: there is no upstream "nobody" -> there are: github, files',
    ],
    [
      '  a: { upstreams: [checkpoints] }',
      'L:20 profiles.a.upstreams[0]: there is no upstream "checkpoints" -> it is one of the workflows: put it there',
    ],
    [
      '  a: { upstreams: ["*"] }',
      'L:20 profiles.a.upstreams[0]: there is no upstream "*" -> leave upstreams out for all of them',
    ],
    [
      '  a: { workflows: [xcode_ide] }',
      'L:20 profiles.a.workflows[0]: there is no workflow "xcode_ide" -> did you mean "xcode-ide"?',
    ],
    [
      '  A/b: {}',
      'L:3 profiles["A/b"]: not a name that a profile can have -> at most 40 small letters, digits and -, beginning with a letter or a digit: it is part of urls',
    ],
    ['  a: { tools: { alow: [x] } }', 'L:17 profiles.a.tools.alow: unknown key -> did you mean "allow"?'],
  ])('%s is wrong', (profiles, issue) => {
    expect(last(profiles)).toEqual([issue]);
  });

  test.each(['  a:', '  a:\n    upstreams:', '  a:\n    tools:', '  a: { upstreams: all }'])(
    'nothing that is half written allows everything: %s',
    (profiles) => {
      expect(last(profiles)).toHaveLength(1);
    },
  );
});
