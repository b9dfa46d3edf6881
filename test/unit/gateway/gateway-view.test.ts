import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { FULL_PERMISSIONS, type Permissions } from '../../../src/core/access/permissions.ts';
import { clientCount, seesEverything } from '../../../src/gateway/gateway-view.ts';

function views() {
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  const view = (access: Permissions | undefined) => catalogue.openView(access, () => undefined);
  return { everything: view(undefined), limited: view({ ...FULL_PERMISSIONS, projects: [['acme-*']] }) };
}

test('who sees everything, and which clients others may know of', () => {
  const { everything, limited } = views();
  const [alice, bob] = [{ id: 'alice' }, { id: 'bob' }];
  const clients = [
    { host: { catalogue: everything } },
    { host: { catalogue: everything }, principal: alice },
    { host: { catalogue: everything }, principal: alice },
    { host: { catalogue: everything }, principal: bob },
    { host: { catalogue: limited } },
    { host: { catalogue: limited }, principal: alice },
  ];
  for (const [viewer, seesAll, count] of [
    [{}, true, 6],
    [{ scope: everything.scope }, true, 6],
    [{ scope: everything.scope, principal: 'alice' }, false, 2],
    [{ scope: everything.scope, principal: 'bob' }, false, 1],
    [{ scope: limited.scope }, false, 1],
    [{ scope: limited.scope, principal: 'alice' }, false, 1],
    [{ scope: limited.scope, principal: 'bob' }, false, 0],
  ] as const) {
    expect(seesEverything(viewer)).toBe(seesAll);
    expect(clientCount(clients, viewer)).toBe(count);
  }
});
