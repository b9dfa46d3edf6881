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
  audit.calls.onCallEnded(endedCall({ params: { name: 'before' } }));
  audit.configure(configWith({}));
  audit.calls.onCallEnded(endedCall({ params: { name: 'after' } }));
  await audit.close();

  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  const stored = await openEventStore({ database, home }).newest({ kind: 'audit' }, 10);
  expect(stored.map(({ type }) => type)).toEqual(['after']);
  expect(logged).toContainEqual(expect.objectContaining({ event: 'audit-store', calls: 1 }));
});
