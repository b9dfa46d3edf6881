import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../../../src/gateway/gateway.ts';
import { ConfigNotices } from '../../../src/gateway/trust/notices.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { parse } from '../config/parse-text.ts';

/** A config with an upstream that never says anything. */
const configWith = (more: object) =>
  parse(JSON.stringify({ schemaVersion: 1, upstreams: { silent: { command: 'sleep', args: ['300'] } }, ...more }));

test('a reload changes how long lists wait, and how large a message may be', async () => {
  const config = configWith({ lists: { graceMs: 60_000 } });
  const options = { config, configPath: '/nowhere/viaduct.yaml', notices: new ConfigNotices([]), env: process.env };
  const log = createLog({ level: 'silent' });
  const gateway = await Gateway.load({ ...options, home: temporaryFolder(), log, masker: new Masker() });
  onTestFinished(() => gateway.stop('the test is over'));
  gateway.start();
  await gateway.reload(configWith({ lists: { graceMs: 0 }, limits: { frameBytes: 5_000 } }));
  expect(gateway.clients.maxFrameBytes).toBe(5_000);
  const session = gateway.clients.openSession({
    id: 's',
    transport: 'test',
    profile: undefined,
    folderRule: undefined,
    output: () => undefined,
  });
  const answer = await new Promise<string>((resolve) => {
    const exchange = { send: () => undefined, sendIfRoom: () => undefined, abandon: () => undefined };
    const reply = (bytes: Parameters<typeof toBuffer>[0]) => resolve(toBuffer(bytes).toString());
    session.onMessage(madeRequest('tools/list'), { ...exchange, reply });
  });
  expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 0, result: { tools: [] } });
});
