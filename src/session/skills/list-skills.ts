import { GatewayError } from '../../core/errors.ts';
import type { Caller, CallTarget, ClientFacts, ListSource, NamedProvider } from '../../core/providers/provider.ts';
import { withTimeout } from '../../core/timing/timeout.ts';
import { hasSkills } from '../../era/extensions.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, rawText, typeOfByte } from '../../wire/lens.ts';
import { madeRequest, paramsOf } from '../../wire/message.ts';
import { openReply, type Reply } from '../../wire/reply.ts';

/** A server that needs longer for a page is left out of this list. */
const PAGE_MS = 15_000;
/** The limit for all pages of a server together, in milliseconds. */
const TOTAL_MS = 60_000;
/** The largest number of pages, more than any server has. */
const MAX_PAGES = 1_000;
/** The largest number of skills of one server, more than any client can use. The rest is left out. */
const MAX_SKILLS = 10_000;
/** The number of bytes of the list: as many as an upstream may send for any other list. The rest is left out. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A provider that may have skills. */
type SkillsSource = NamedProvider & CallTarget & Pick<ListSource, 'declared'>;

/** The client that wants the list. */
export interface SkillsAsker {
  readonly sessionId: string;
  readonly client: ClientFacts;
}

/**
 * Returns the entries of all skills of these providers, each as JSON, under the uris that clients use (SEP-2640, "Listing
 * Skills"). A server that does not answer is left out, and the log says why.
 */
export async function listSkills(
  providers: readonly SkillsSource[],
  asker: SkillsAsker,
  log: Log,
): Promise<readonly ByteString[]> {
  const able = providers.filter((provider) => hasSkills(provider.declared?.() ?? {}));
  const lists = await Promise.all(
    able.map(async (provider) => {
      const entries: ByteString[] = [];
      try {
        await readPages(provider, asker, entries);
      } catch (error) {
        log.warn({ event: 'skills', upstream: provider.id, error }, 'the skills of an upstream could not be listed');
      }
      return entries;
    }),
  );
  return lists.flat();
}

async function readPages(provider: SkillsSource, asker: SkillsAsker, entries: ByteString[]): Promise<void> {
  const endsAt = performance.now() + TOTAL_MS;
  const cursors = new Set<ByteString>();
  let cursor: ByteString | undefined;
  let bytes = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    if (performance.now() >= endsAt) throw late(provider, TOTAL_MS);
    const { frame, body } = openReply(await askForPage(provider, asker, cursor));
    const { text } = frame;
    const members = membersOf(text, body);
    const list = lastMember(members, 'skills');
    if (list === undefined || typeOfByte(text[list.start]) !== 'array')
      throw invalid(provider, 'it has no list "skills"');
    for (const span of elementsOf(text, list, MAX_SKILLS - entries.length)) {
      bytes += span.end - span.start;
      if (bytes > MAX_BYTES) return;
      entries.push(rawText(text, span));
    }
    if (entries.length >= MAX_SKILLS) return;
    const next = lastMember(members, 'nextCursor');
    cursor = next === undefined || typeOfByte(text[next.start]) !== 'string' ? undefined : rawText(text, next);
    if (cursor === undefined) return;
    if (cursors.has(cursor)) throw invalid(provider, 'its pages never end');
    cursors.add(cursor);
  }
}

function askForPage(provider: SkillsSource, asker: SkillsAsker, cursor: ByteString | undefined): Promise<Reply> {
  const message = madeRequest('skills/list', cursor === undefined ? '{}' : `{"cursor":${cursor}}`);
  const start = message.params!.start;
  const text = {
    message,
    params: paramsOf(message),
    target: '',
    targetSpan: { start, end: start },
    arguments: undefined,
    progressToken: undefined,
  };
  let cancel = () => {};
  const answer = new Promise<Reply>((resolve, reject) => {
    const onReply = (reply: Reply) => {
      if (reply.outcome === 'result') resolve(reply);
      else reject(invalid(provider, 'it is an error'));
    };
    const running = provider.call({ text, ownName: '', ownToken: '""', caller: listCaller(asker, onReply, reject) });
    cancel = () => running.cancel();
  });
  return withTimeout(answer, PAGE_MS, () => late(provider, PAGE_MS)).catch((error: unknown) => {
    cancel();
    throw error;
  });
}

/** Returns the gateway's own request, made as legacy servers know it; modern ones get it translated. */
function listCaller(
  { sessionId, client }: SkillsAsker,
  onReply: Caller['onReply'],
  onFailure: Caller['onFailure'],
): Caller {
  return {
    sessionId,
    client: { ...client, era: 'legacy' },
    onReply,
    onFailure,
    onProgress: () => undefined,
    onNotification: () => undefined,
    ask: (ask) => {
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', 'skills/list cannot ask its client anything'));
      return () => undefined;
    },
  };
}

function late(provider: SkillsSource, ms: number): GatewayError {
  return new GatewayError('UPSTREAM_TIMEOUT', `${provider.id}: no answer within ${ms / 1000} s`);
}

function invalid(provider: SkillsSource, problem: string): GatewayError {
  const text = `${provider.id}: invalid answer to skills/list: ${problem}`;
  return new GatewayError('UPSTREAM_INVALID_ANSWER', text, { upstream: provider.id });
}
