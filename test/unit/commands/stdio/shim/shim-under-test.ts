import { PassThrough } from 'node:stream';
import { Shim, type ShimEnd } from '../../../../../src/commands/stdio/shim/shim.ts';
import { duplexPair } from '../../../../../src/gateway/client/duplex-pair.ts';
import { RawClient } from '../../../../support/clients/raw-client.ts';
import { FakeGateway } from './fake-gateway.ts';

const INTRODUCTION = '{"jsonrpc":"2.0","method":"notifications/viaduct/profile","params":{}}\n';

/** Lets everything happen that has begun. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 8; turns++) await new Promise((resolve) => setImmediate(resolve));
}

interface Options {
  /** Prepares a gateway; the first has the number 0. Returns false if it cannot be reached. */
  readonly prepare?: (gateway: FakeGateway, number: number) => boolean | undefined;
  readonly reconnectError?: Error;
}

/** A shim between a client and one gateway after another. */
export class ShimUnderTest {
  readonly gateways: FakeGateway[] = [];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly client: RawClient;
  readonly shim: Shim;
  end: ShimEnd | undefined;

  constructor({ prepare = () => true, reconnectError }: Options = {}) {
    const connect = () => {
      const [ours, theirs] = duplexPair();
      const gateway = new FakeGateway(theirs);
      if (prepare(gateway, this.gateways.length) === false) return undefined;
      this.gateways.push(gateway);
      return ours;
    };
    this.client = new RawClient(this.output, this.input);
    const finder = {
      reconnect: async () => (reconnectError === undefined ? connect() : Promise.reject(reconnectError)),
    };
    this.shim = new Shim(connect()!, { input: this.input, output: this.output, introduction: INTRODUCTION, finder });
    void this.shim.ended.then((end) => {
      this.end = end;
    });
  }

  /** The gateway that serves now. */
  get gateway(): FakeGateway {
    return this.gateways.at(-1)!;
  }

  /** The answers that the client has had to a request. */
  answersTo(id: number | string): readonly any[] {
    return this.client.messages
      .map(({ value }) => value)
      .filter((value) => value.id === id && value.method === undefined);
  }

  /** Kills the gateway; another one takes its place. */
  async replace(isWithinMessage = false): Promise<FakeGateway> {
    this.gateway.die(isWithinMessage);
    await settle();
    return this.gateway;
  }
}
