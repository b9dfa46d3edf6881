import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContainerCommand } from '../../../../src/process/containers/read-command.ts';

const read = (text: string) => readContainerCommand(text.split(' '));

/** A command line with a bar where options can be added, and what else was found out; `undefined` for none of ours. */
function shown(text: string): string | undefined {
  const command = read(text);
  if (command === undefined) return undefined;
  const words = command.words.toSpliced(command.insertAt, 0, '|').join(' ');
  const facts =
    command.kind === 'run' ? (command.isRemoved ? ' (rm)' : '') : ` (in ${command.container} as ${command.user})`;
  return `${words}${facts}`;
}

describe('a command that makes a container', () => {
  test.each([
    ['docker run -i --rm image', 'docker run | -i --rm image (rm)'],
    ['docker run image', 'docker run | image'],
    ['podman run -i --rm=true image', 'podman run | -i --rm=true image (rm)'],
    ['nerdctl run --rm --rm=false image', 'nerdctl run | --rm --rm=false image'],
    ['docker container run -i --rm image', 'docker container run | -i --rm image (rm)'],
    ['/usr/local/bin/docker run --rm image', '/usr/local/bin/docker run | --rm image (rm)'],
    ['C:\\Docker\\bin\\DOCKER.EXE run --rm image', 'C:\\Docker\\bin\\DOCKER.EXE run | --rm image (rm)'],
    ['docker --context x run --rm image', 'docker --context x run | --rm image (rm)'],
    ['docker --context=x -D -H tcp://h:1 run --rm image', 'docker --context=x -D -H tcp://h:1 run | --rm image (rm)'],
    ['docker -Htcp://h:1 --tls run --rm image', 'docker -Htcp://h:1 --tls run | --rm image (rm)'],
    ['docker --log-level debug run --rm image', 'docker --log-level debug run | --rm image (rm)'],
    ['podman --remote --url x run --rm image', 'podman --remote --url x run | --rm image (rm)'],
    ['docker compose -f a.yml run --rm -T service', 'docker compose -f a.yml run | --rm -T service (rm)'],
    ['sudo docker run --rm image', 'sudo docker run | --rm image (rm)'],
    ['sudo -n -u me A=b docker run --rm image', 'sudo -n -u me A=b docker run | --rm image (rm)'],
    ['/usr/bin/sudo --user=me -- docker run image', '/usr/bin/sudo --user=me -- docker run | image'],
    ['env -u X A=b docker run image', 'env -u X A=b docker run | image'],
    ['sudo env A=b podman run image', 'sudo env A=b podman run | image'],
    ['wsl docker run image', 'wsl docker run | image'],
    ['wsl.exe -d Ubuntu -u me -- docker run image', 'wsl.exe -d Ubuntu -u me -- docker run | image'],
    ['wsl --cd / -e docker run image', 'wsl --cd / -e docker run | image'],
    ['ssh -p 22 -i key me@host docker run image', 'ssh -p 22 -i key me@host docker run | image'],
    ['ssh host -v docker run image', 'ssh host -v docker run | image'],
  ])('%s', (text, expected) => expect(shown(text)).toBe(expected));

  test('is found in the one text that ssh may get, unless a shell would read more in it', () => {
    const words = (text: string) => readContainerCommand(['ssh', 'host', text])?.words;
    expect(words('docker run -i  --rm image')).toEqual(['ssh', 'host', 'docker', 'run', '-i', '--rm', 'image']);
    expect(words("docker run -e 'A=b c' image")).toBeUndefined();
    expect(words('docker run image; rm x')).toBeUndefined();
  });

  test.each([
    ['docker run -d image'],
    ['docker run --rm --detach image'],
    ['docker run --detach=true image'],
    ['docker run -dit image'],
    ['docker run -itd --rm image'],
    ['docker run -d=true image'],
    ['docker compose run -d service'],
    ['docker exec -d box server'],
  ])('is left alone where it is detached: %s', (text) => expect(read(text)).toBeUndefined());

  test.each([
    ['docker run -e -d image', 'the value of another option'],
    ['docker run --env -d image', 'the value of another option'],
    ['docker run -h -d image', 'a host name'],
    ['docker run -l -d image', 'a label'],
    ['docker run -ie -d image', 'a value behind a cluster'],
    ['docker run -eA=d image', 'a part of a value'],
    ['docker run image -d', "the container's own"],
    ['docker run --detach=false image', 'off'],
    ['docker run -d --detach=false image', 'off in the end'],
    ['docker run --name -d image', 'a name'],
  ])('is not taken for detached: %s (%s)', (text) => expect(read(text)?.kind).toBe('run'));
});

test.each([
  ['docker run --rm image', false],
  ['docker run --name mine image', true],
  ['docker run -p=80:80 image', true],
  ['docker run -e --name image', false],
  ['docker run image --name x', false],
])('there can be only one container at a time of "%s": %s', (text, expected) => {
  expect(read(text)).toMatchObject({ kind: 'run', isUnique: expected });
});

describe('a command that runs a program in a container', () => {
  test.each([
    ['docker exec -i box server', 'docker exec | -i box server (in box as undefined)'],
    ['docker exec -i -u root --env A=b box server', 'docker exec | -i -u root --env A=b box server (in box as root)'],
    ['sudo podman container exec --user=me box a', 'sudo podman container exec | --user=me box a (in box as me)'],
  ])('%s', (text, expected) => expect(shown(text)).toBe(expected));
});

test.each([
  ['node server.js'],
  ['docker'],
  ['docker ps'],
  ['docker mcp gateway run'],
  ['docker start -ai box'],
  ['docker model run x'],
  ['docker compose up'],
  ['docker compose exec service server'],
  ['podman exec --latest server'],
  ['node docker run image'],
  ['sudo'],
  ['sudo -u'],
  ['ssh host'],
  ['ssh'],
  ['ssh host server'],
  ['ssh host docker exec -i box server'],
  ['constructor run'],
  ['docker exec'],
])('is no such command: %s', (text) => expect(read(text)).toBeUndefined());

describe('the words that reach the engine', () => {
  test.each([
    ['docker run image', 'docker'],
    ['docker --context x container run image', 'docker --context x'],
    ['docker compose -f a.yml run service', 'docker'],
    ['sudo -n docker -H tcp://h:1 run image', 'sudo -n docker -H tcp://h:1'],
    // What an engine does not need stays with the process: it may be a secret.
    ['env TOKEN=secret DOCKER_HOST=tcp://h:1 docker run image', 'env DOCKER_HOST=tcp://h:1 docker'],
    ['ssh -p 22 host docker run image', 'ssh -p 22 host docker'],
  ])('%s', (text, expected) => expect(read(text)?.engine.join(' ')).toBe(expected));
});

/** An option of `docker run` in one of its spellings, and what it says of detaching and removing. */
interface Spelling {
  readonly words: readonly string[];
  readonly detach?: boolean;
  readonly rm?: boolean;
}

const value = fc.constantFrom('x', '-d', '--rm', 'a=b', '--', 'docker', 'run');
const option: fc.Arbitrary<Spelling> = fc.oneof(
  fc
    .constantFrom('-i', '-t', '-it', '--init', '--privileged', '-P', '--read-only', '-iq')
    .map((word) => ({ words: [word] })),
  fc
    .tuple(
      fc.constantFrom(
        '-e',
        '-v',
        '-p',
        '-w',
        '-h',
        '-l',
        '-u',
        '--env',
        '--name',
        '--cidfile',
        '--label',
        '--unheard-of',
        '-ie',
      ),
      value,
    )
    .map(([name, text]) => ({ words: [name, text] })),
  fc
    .tuple(fc.constantFrom('--env', '--label', '--name', '--cidfile'), value)
    .map(([name, text]) => ({ words: [`${name}=${text}`] })),
  fc.constantFrom('-eA=d', '-vd:/d', '-u0').map((word) => ({ words: [word] })),
  fc.boolean().map((on) => ({ words: [`--rm=${on}`], rm: on })),
  fc.constant({ words: ['--rm'], rm: true }),
  fc
    .tuple(fc.constantFrom('--detach', '-d'), fc.boolean())
    .map(([name, on]) => ({ words: [`${name}=${on}`], detach: on })),
  fc.constantFrom('-d', '-itd', '-di', '--detach').map((word) => ({ words: [word], detach: true })),
);
const globals = fc.array(
  fc.oneof(
    fc.constantFrom(['-D'], ['--tls'], ['--debug']),
    fc.tuple(fc.constantFrom('--context', '-c', '-H', '--config', '-l'), value).map((pair) => [...pair]),
  ),
  { maxLength: 3 },
);
const head = fc.constantFrom(
  ['docker'],
  ['/bin/podman'],
  ['sudo', '-n', 'docker'],
  ['env', 'A=b', 'docker'],
  ['ssh', 'h', 'docker'],
);

test('options are read as the engine reads them, and nothing of the command line is lost', () => {
  fc.assert(
    fc.property(
      head,
      globals,
      fc.array(option, { maxLength: 6 }),
      fc.array(value, { maxLength: 3 }),
      (start, before, options, rest) => {
        const prefix = [...start, ...before.flat()];
        const line = [...prefix, 'run', ...options.flatMap(({ words }) => words), 'image', ...rest];
        const isDetached = options.findLast(({ detach }) => detach !== undefined)?.detach ?? false;
        const command = readContainerCommand(line);
        expect(command === undefined).toBe(isDetached);
        if (command?.kind !== 'run') return;
        expect(command.words).toEqual(line);
        expect(command.insertAt).toBe(prefix.length + 1);
        expect(command.isRemoved).toBe(options.findLast(({ rm }) => rm !== undefined)?.rm ?? false);
        expect(command.engine).toEqual(prefix.filter((_word, index) => start[index] !== 'A=b'));
      },
    ),
    { numRuns: 500 },
  );
});

test('any command line is read without a fault', () => {
  const word = fc.oneof(
    fc.constantFrom('docker', 'sudo', 'ssh', 'wsl', 'run', 'exec', 'compose', '-', '--', '-e', ''),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (line) => {
      const command = readContainerCommand(line);
      if (command !== undefined) expect(command.insertAt).toBeLessThanOrEqual(command.words.length);
    }),
    { numRuns: 1_000 },
  );
});
