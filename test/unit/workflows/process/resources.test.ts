import { expect, test } from 'vitest';
import { processSetup } from './process-setup.ts';

const [ann, bob] = [{ id: 'ann' }, { id: 'bob' }];
const uri = 'process://proc-1/output';

test('the output of a process can be read as a resource by its client alone', async () => {
  const { shell, request, ended, provider } = processSetup();
  await ended(await shell('echo ä', ann), ann);
  const { result } = await request('resources/read', { uri }, ann);
  expect(result.contents).toEqual([{ uri, mimeType: 'text/plain', text: 'ä\n' }]);
  for (const method of ['resources/read', 'resources/subscribe'])
    expect((await request(method, { uri }, bob)).error.code).toBe('UNKNOWN_RESOURCE');
  expect(provider.listing().resource).toEqual([]);
  expect(provider.listing().template.map(({ ownName }) => ownName)).toEqual(['process://{id}/output']);
});

test.each(['process://proc-2/output', 'process://proc-1', 'process://proc-0/output', 'process://x/output'])(
  '%s is none',
  async (other) => {
    const { shell, request } = processSetup();
    await shell('true');
    expect((await request('resources/read', { uri: other })).error.code).toBe('UNKNOWN_RESOURCE');
  },
);

test('they are listed where all clients have them in common', async () => {
  const { shell, request, ended, provider, offers } = processSetup({ share: 'gateway', keepEnded: 0 });
  const id = await shell('read line', ann);
  expect(provider.listing().resource.map(({ ownName }) => ownName)).toEqual([uri]);
  expect(offers()).toBe(1);
  const complete = (value: string) =>
    request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'process://{id}/output' },
      argument: { name: 'id', value },
    });
  expect((await complete('proc')).result.completion.values).toEqual([id]);
  expect((await complete('x')).result.completion.values).toEqual([]);
  expect((await request('resources/read', { uri }, bob)).result.contents).toMatchObject([{ uri }]);
  await request('tools/call', { name: 'process_input', arguments: { id, input: '\n' } });
  await expect.poll(() => provider.listing().resource).toEqual([]);
  expect(await ended(id)).toBeUndefined();
});

test('who has subscribed is told of changes, not of each, and of the end', async () => {
  const { shell, request, call, ended, updates } = processSetup();
  const id = await shell('read line; i=0; while [ $i -lt 60 ]; do echo $i; sleep 0.01; i=$((i+1)); done', ann);
  await request('resources/subscribe', { uri }, ann);
  await call('input', { id, input: '\n' }, ann);
  const { duration } = await ended(id, ann);
  expect(updates.length).toBeGreaterThan(1);
  expect(updates.length).toBeLessThan(duration / 1e6 / 200 + 3);
  expect(new Set(updates.map(({ session }) => session))).toEqual(new Set(['ann']));
  const told = updates.length;
  await call('output', { id }, ann);
  expect(updates).toHaveLength(told);
});
