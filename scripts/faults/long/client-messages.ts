import { Mutator } from '../../../fixtures/data/mutations.ts';

/** Good messages of a client; ID stands for the id. Upstream `u` is the fixture `fuzzer`. */
const GOOD: readonly string[] = [
  '{"jsonrpc":"2.0","id":ID,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"f","version":"1"}}}',
  '{"jsonrpc":"2.0","id":ID,"method":"ping"}',
  '{"jsonrpc":"2.0","id":ID,"method":"tools/list","params":{}}',
  '{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"u_good","arguments":{}}}',
  '{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"u_echo","arguments":{"text":"a","n":1,"list":[1,"b",null]}}}',
  '{"params":{"arguments":{"text":"x"},"name":"u_echo","_meta":{"progressToken":"t"}},"method":"tools/call","id":ID,"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":ID,"method":"prompts/get","params":{"name":"u_p","arguments":{"a":"b"}}}',
  '{"jsonrpc":"2.0","id":ID,"method":"resources/read","params":{"uri":"file:///x"}}',
  '{"jsonrpc":"2.0","id":ID,"method":"resources/subscribe","params":{"uri":"file:///x"}}',
  '{"jsonrpc":"2.0","id":ID,"method":"resources/unsubscribe","params":{"uri":"file:///x"}}',
  '{"jsonrpc":"2.0","id":ID,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"u_p"},"argument":{"name":"a","value":"b"}}}',
  '{"jsonrpc":"2.0","id":ID,"method":"logging/setLevel","params":{"level":"error"}}',
  '{"jsonrpc":"2.0","id":ID,"method":"viaduct/status","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never","reason":"x"}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
  '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
  '{"jsonrpc":"2.0","id":ID,"result":{"roots":[]}}',
  '{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"x"}}',
];

/** Ids that clients should not choose, and some do. */
const ODD_IDS: readonly string[] = [
  'null',
  '0',
  '-7',
  '1.5',
  '1e3',
  '9007199254740993',
  '-9223372036854775808',
  `${'8'.repeat(40)}`,
  '""',
  '"__proto__"',
  '"\\u0031"',
  '"é\\ud83d\\ude00"',
  '"\\ud800"',
  'true',
  '[1]',
  '{"a":1}',
];

/** Messages as a broken or hostile client sends them, the same for the same seed. */
export class ClientMessages {
  readonly #mutator: Mutator;
  #count = 0;

  constructor(seed: number) {
    this.#mutator = new Mutator(seed);
  }

  get mutator(): Mutator {
    return this.#mutator;
  }

  next(): Buffer {
    const mutator = this.#mutator;
    const number = 1_000_000 + ++this.#count;
    const id = mutator.chance(0.15) ? mutator.pick(ODD_IDS) : mutator.chance(0.5) ? String(number) : `"f-${number}"`;
    const good = mutator.pick(GOOD).replace('ID', () => id);
    return mutator.chance(0.1) ? Buffer.from(good) : mutator.mutate(good);
  }
}
