import { writeFileSync } from 'node:fs';
import { connectToDaemon } from '../../../src/gateway/serving/daemon-record.ts';
import { daemonPaths } from '../../../src/gateway/settings/paths.ts';
import { HttpSession } from '../../../test/support/http/http-client.ts';
import { HttpClient, StdioClient } from '../../bench/clients.ts';
import { type Entry, type HttpGateway, type Scene, until } from '../scene.ts';
import { LineClient } from './line-client.ts';
import { Probe } from './probe.ts';

export type CallClient = Pick<HttpClient, 'request' | 'close'>;

const STEADY = ['steady0', 'steady1'] as const;
const MORTAL = ['mortal0', 'mortal1', 'mortal2', 'mortal3'] as const;
const RELOADED_WITHIN_MS = 10_000;

interface UpstreamStatus {
  readonly key: string;
  readonly pid?: number;
  readonly starts: number;
}

/** One `viaduct serve` with steady and mortal upstreams, and everything that happens to it besides calls. */
export class SoakStage {
  readonly steady = STEADY;
  readonly mortal = MORTAL;
  readonly probe: Probe;
  readonly #scene: Scene;
  #gateway: HttpGateway | undefined;
  #control: LineClient | undefined;
  #configFile = '';
  #reloads = 0;
  #restarts = 0;
  #sessions = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.probe = new Probe(scene.folder);
  }

  get gateway(): HttpGateway {
    return this.#gateway!;
  }

  async open(): Promise<void> {
    this.#configFile = this.#writeConfig();
    this.#gateway = await this.#scene.serve(this.#configFile, this.probe.env);
    this.#control = await this.#connect();
    await until('all upstreams ready', async () => (await this.status()).every(({ pid }) => pid !== undefined), 30_000);
  }

  /** Half of the clients over HTTP, half on pipes through `viaduct stdio`, which attaches to the gateway. */
  async clients(count: number): Promise<CallClient[]> {
    const words = ['dist/main.js', 'stdio', '--config', this.#configFile];
    const opened = Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? new HttpClient(this.gateway.url, [], async () => undefined)
        : new StdioClient(process.execPath, words, this.#scene.environment(), false),
    );
    await Promise.all(opened.map((client) => client.initialize()));
    return opened;
  }

  /** Ends the process of one upstream in the middle of a call and has it started again. */
  async restart(): Promise<void> {
    const key = MORTAL[this.#restarts++ % MORTAL.length]!;
    const control = this.#control!;
    await control.request('tools/call', `{"name":"${key}_die","arguments":{}}`);
    const answer = await control.request('viaduct/sync', `{"upstream":"${key}"}`);
    if (answer?.text.includes('"total"') !== true) throw new Error(`${key} did not come back: ${answer?.text}`);
  }

  /** A client comes, listens, calls with progress, and goes; two of three over HTTP. */
  async session(): Promise<void> {
    if (++this.#sessions % 3 === 0) await this.#socketSession();
    else await this.#httpSession();
  }

  /** The config changes in an entry that is not called, or becomes unreadable: every second time. */
  async reload(): Promise<void> {
    const before = this.#reloadLines();
    this.#reloads++;
    if (this.#reloads % 2 === 0) writeFileSync(this.#configFile, '{"schemaVersion":1,"upstreams":{"half":');
    else this.#writeConfig();
    await until('the config was read', () => this.#reloadLines() > before, RELOADED_WITHIN_MS);
  }

  async status(): Promise<UpstreamStatus[]> {
    const answer = await this.#control!.request('viaduct/status');
    return (answer!.message.result as { upstreams: UpstreamStatus[] }).upstreams;
  }

  #reloadLines(): number {
    return this.gateway.stderr().split('"event":"reload"').length;
  }

  #writeConfig(): string {
    const ordinary = (key: string): [string, Entry] => [key, this.#scene.fixture('hostile')];
    const touched = this.#scene.fixture('hostile', [`--reload=${this.#reloads}`]);
    const upstreams = { ...Object.fromEntries([...STEADY, ...MORTAL].map(ordinary)), touched };
    return this.#scene.config({ log: { level: 'info' }, upstreams });
  }

  async #connect(): Promise<LineClient> {
    const daemon = await connectToDaemon(daemonPaths(this.#scene.home, this.#configFile));
    if (daemon === undefined) throw new Error('the gateway takes no clients on its local socket');
    const { socket } = daemon;
    const client = new LineClient(socket, socket);
    await client.initialize();
    return client;
  }

  async #socketSession(): Promise<void> {
    const client = await this.#connect();
    const params = '{"name":"steady1_slow","arguments":{"steps":2,"everyMs":1},"_meta":{"progressToken":1}}';
    const answer = await client.request('tools/call', params);
    if (answer?.text.includes('done') !== true) throw new Error(`a short session: ${answer?.text}`);
    client.end();
    await client.waitUntil(() => client.closed, 10_000);
  }

  async #httpSession(): Promise<void> {
    const { url } = this.gateway;
    const session = await HttpSession.open(url);
    const events = await session.listen();
    events.resume();
    const call = { name: 'steady0_slow', arguments: { steps: 2, everyMs: 1 }, _meta: { progressToken: 1 } };
    const answer = await session.post(session.request('tools/call', call));
    if (!answer.body.includes('done')) throw new Error(`a short session: ${answer.status} ${answer.body}`);
    // Every second client forgets to say good-bye to its stream first.
    if (this.#sessions % 2 === 0) events.destroy();
    const response = await fetch(url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': session.id, connection: 'close' },
    });
    if (response.status !== 200) throw new Error(`DELETE: ${response.status}`);
    events.destroy();
  }
}
