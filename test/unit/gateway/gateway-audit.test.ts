import { expect, onTestFinished, test } from 'vitest';
import { GatewayAudit } from '../../../src/gateway/gateway-audit.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { openEventStore } from '../../../src/store/events/open-event-store.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { endedCall } from '../audit/ended-call.ts';
import { parse } from '../config/parse-text.ts';

function configWith(more: object) {
  return parse(JSON.stringify({ schemaVersion: 1, ...more }));
}

test('calls go to the database that the config has now', async () => {
  const home = temporaryFolder();
  const logged: any[] = [];
  const audit = new GatewayAudit({
    // Nothing listens at port 9: what cannot be stored there is left to the file.
    config: configWith({ database: 'postgres://me@127.0.0.1:9/nowhere' }),
    home,
    log: createLog({ level: 'warn', destination: { write: (line) => logged.push(JSON.parse(line)) } }),
    masker: new Masker(),
  });
  onTestFinished(() => audit.close());
  audit.calls.onCallEnded(endedCall({ params: { name: 'before' } }));
  await expect.poll(() => logged, { timeout: 20_000 }).toMatchObject([{ event: 'audit-index' }]);
  audit.configure(configWith({}));
  audit.calls.onCallEnded(endedCall({ params: { name: 'after' } }));

  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  const store = openEventStore({ database, home });
  const stored = async () => (await store.newest({ kind: 'audit' }, 10)).map(({ type }) => type).sort();
  await expect.poll(stored, { timeout: 20_000 }).toEqual(['after', 'before']);
  expect(logged).toHaveLength(1);
});

test('what is not indexed when the gateway stops is in the file, and a later gateway indexes it', async () => {
  const home = temporaryFolder();
  const open = () =>
    new GatewayAudit({ config: configWith({}), home, log: createLog({ level: 'silent' }), masker: new Masker() });
  const first = open();
  first.calls.onCallEnded(endedCall({ params: { name: 'first' } }));
  await first.close();
  const second = open();
  onTestFinished(() => second.close());
  second.calls.onCallEnded(endedCall({ params: { name: 'second' } }));
  second.hurry();

  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  const store = openEventStore({ database, home });
  const stored = async () => (await store.newest({ kind: 'audit' }, 10)).map(({ type }) => type);
  await expect.poll(stored, { timeout: 20_000 }).toEqual(['second', 'first']);
});
