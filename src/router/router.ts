import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { Route } from '../catalogue/merged-list.ts';
import { isForAppsOnly } from '../catalogue/own-tool.ts';
import type { RouteFinder } from '../catalogue/route-finder.ts';
import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import { type ErrorCode, GatewayError } from '../core/errors.ts';
import type { CallAudit } from '../core/providers/call-audit.ts';
import { callerWith } from '../core/providers/caller.ts';
import { type Caller, NOTHING_TO_CANCEL, type ProviderCall, type RunningCall } from '../core/providers/provider.ts';
import type { Policy, RoutedCall } from '../policy/policy.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { lastMember, typeOfByte } from '../wire/lens.ts';
import { openReply, type Reply } from '../wire/reply.ts';
import { AuditedCall } from './audited-call.ts';
import { InspectingCaller, type Inspection } from './inspecting-caller.ts';
import { OpenApps } from './open-apps.ts';
import { UnknownNames, withSentences } from './unknown-names.ts';
import { withHint } from './unlisted-answer.ts';

/** The methods that are audited: they have an effect or return contents. */
const AUDITED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** An unknown uri is what the client has got wrong in these (SEP-2640, "Error Handling"). */
const SKILL_METHODS: ReadonlySet<string> = new Set(['skills/get', 'resources/directory/read']);

/** Takes a call to the provider that owns what it names, as far as its client may see that, through the policies. */
export class Router {
  readonly #catalogue: CatalogueView;
  readonly #finder: RouteFinder;
  readonly #policies: readonly Policy[];
  readonly #audit: CallAudit | undefined;
  readonly #apps = new OpenApps();
  readonly #unknown: UnknownNames;

  /** `troubles`: see `UnknownNames`. */
  constructor(
    catalogue: CatalogueView,
    policies: readonly Policy[],
    { audit, troubles = () => [] }: { readonly audit?: CallAudit; readonly troubles?: () => readonly string[] } = {},
  ) {
    this.#catalogue = catalogue;
    this.#finder = catalogue.finder;
    this.#policies = policies;
    this.#audit = audit;
    this.#unknown = new UnknownNames(catalogue, troubles);
  }

  /** Sends the call on its way. The caller is answered exactly once, unless the call is cancelled first. */
  call(text: CallText, caller: Caller): RunningCall {
    if (this.#audit?.isOn !== true || !AUDITED.has(text.message.method)) return this.#route(text, caller);
    const audited = new AuditedCall(text, caller, this.#audit);
    audited.running = this.#route(text, audited);
    return audited;
  }

  #route(text: CallText, caller: Caller): RunningCall {
    switch (text.message.method) {
      case 'tools/call':
        return this.#callTool(text, caller);
      case 'prompts/get':
        return this.#callOne(text, caller, this.#finder.find('prompt', text.target), 'UNKNOWN_PROMPT', 'prompt');
      case 'completion/complete':
        return this.#complete(text, caller);
      case 'tasks/get':
      case 'tasks/result':
      case 'tasks/update':
      case 'tasks/cancel':
        return this.#callTask(text, caller);
      default:
        return this.#callResource(text, caller);
    }
  }

  #callTool(text: CallText, caller: Caller): RunningCall {
    const found = this.#finder.findTool(text.target);
    if (found !== undefined && 'publicNames' in found) {
      const names = found.publicNames.join(' or ');
      const words = `Unknown tool: ${text.target}. Several servers have a tool of this name: call ${names}`;
      caller.onFailure(new GatewayError('UNKNOWN_TOOL', words));
      return NOTHING_TO_CANCEL;
    }
    const route = found === undefined || this.#mayCall(text, caller, found) ? found : undefined;
    return this.#callOne(text, caller, route, 'UNKNOWN_TOOL', 'tool');
  }

  /** An app calls tools by their servers' names: those that only apps may call are for the apps of their own server. */
  #mayCall({ target }: CallText, { client }: Caller, route: Route): boolean {
    const isOwnName = route.descriptor !== undefined && this.#catalogue.routes('tool').get(target) === undefined;
    return !isOwnName || !isForAppsOnly(route) || this.#apps.mayBeOf(client.clientId, route.provider.id);
  }

  #callOne(text: CallText, caller: Caller, route: Route | undefined, unknown: ErrorCode, what: string): RunningCall {
    if (route !== undefined) return this.#send(text, caller, route);
    caller.onFailure(new GatewayError(unknown, withSentences(unknownText(what, text), this.#hintFor(unknown, text))));
    return NOTHING_TO_CANCEL;
  }

  #hintFor(unknown: ErrorCode, { target, message }: CallText): string {
    if (unknown === 'UNKNOWN_TOOL') return this.#unknown.unknown('tool', target);
    const isPrompt = unknown === 'UNKNOWN_PROMPT' && message.method === 'prompts/get';
    return isPrompt ? this.#unknown.unknown('prompt', target) : '';
  }

  #complete(text: CallText, caller: Caller): RunningCall {
    const { target } = text;
    if (isPromptRef(text))
      return this.#callOne(text, caller, this.#finder.find('prompt', target), 'UNKNOWN_PROMPT', 'prompt');
    const routes = this.#finder.findTemplate(target);
    return this.#askInTurn(text, caller, routes, 'UNKNOWN_PROMPT', 'resource template');
  }

  /** Past the policies: they are about tools, and the call that began the task has gone through them. */
  #callTask(text: CallText, caller: Caller): RunningCall {
    const route = this.#finder.findTask(text.target);
    if (route !== undefined) {
      const { ownName, ownToken } = route;
      return route.provider.call({ text, ownName, ownToken, caller });
    }
    caller.onFailure(new GatewayError('UNKNOWN_TASK', 'Task not found'));
    return NOTHING_TO_CANCEL;
  }

  #callResource(text: CallText, caller: Caller): RunningCall {
    const { target, message } = text;
    const routes = this.#finder.findResource(target);
    if (message.method === 'resources/read' && target.startsWith('ui://') && routes.length === 1)
      this.#apps.onRead(caller.client.clientId, routes[0]!.provider.id);
    return SKILL_METHODS.has(message.method)
      ? this.#askInTurn(text, caller, routes, 'INVALID_PARAMS', 'skill or directory')
      : this.#askInTurn(text, caller, routes, 'UNKNOWN_RESOURCE', 'resource');
  }

  #askInTurn(text: CallText, caller: Caller, routes: readonly Route[], unknown: ErrorCode, what: string): RunningCall {
    return routes.length > 1
      ? this.#tryInTurn(text, caller, routes, undefined)
      : this.#callOne(text, caller, routes[0], unknown, what);
  }

  /**
   * Asks those that may know a uri without an owner, in turn: requests about resources change nothing. The one that
   * answers owns it from then on. If none does, the client gets the first error that says more than that the uri is
   * unknown (`fault`), else the last one.
   */
  #tryInTurn(text: CallText, caller: Caller, routes: readonly Route[], fault: Told | undefined): RunningCall {
    const [route, ...others] = routes;
    let moved: RunningCall | undefined;
    const onError = (saysNothing: boolean, tell: () => void) => {
      const told = fault ?? (saysNothing ? undefined : { route: route!, tell });
      if (others.length > 0) moved = this.#tryInTurn(text, caller, others, told);
      else if (told === undefined || told.route === route) tell();
      else {
        caller.onRoute?.(told.route.provider, told.route.descriptor);
        told.tell();
      }
    };
    const careful = callerWith(caller, {
      onReply: (reply) => {
        if (reply.outcome === 'error') onError(saysUnknown(reply), () => caller.onReply(reply));
        else {
          this.#finder.onAnswered(route!);
          caller.onReply(reply);
        }
      },
      onFailure: (error) => onError(SAYS_NOTHING.has(error.code), () => caller.onFailure(error)),
    });
    const first = this.#send(text, careful, route!);
    return { cancel: (reason) => (moved ?? first).cancel(reason) };
  }

  #send(text: CallText, caller: Caller, route: Route): RunningCall {
    const { provider, descriptor, ownName, ownToken } = route;
    caller.onRoute?.(provider, descriptor);
    const foreign = foreignState(text, caller, route);
    if (foreign !== undefined) {
      caller.onFailure(foreign);
      return NOTHING_TO_CANCEL;
    }
    const routed: RoutedCall = { provider, descriptor, call: { text, ownName, ownToken, caller } };
    for (const policy of this.#policies) {
      const refusal = policy.admit?.(routed);
      if (refusal === undefined) continue;
      caller.onFailure(refusal);
      return NOTHING_TO_CANCEL;
    }
    return provider.call(this.#inspected(routed));
  }

  #inspected(routed: RoutedCall): ProviderCall {
    const { call, descriptor } = routed;
    const { text, ownName, ownToken, caller } = call;
    const inspections: Inspection[] = [];
    for (const policy of this.#policies) {
      const inspect = policy.inspect?.(routed);
      if (inspect !== undefined) inspections.push(inspect);
    }
    if (descriptor === undefined && text.message.method === 'tools/call') {
      const hint = () => this.#unknown.unlisted(text.target);
      inspections.push((reply) => withHint(reply, hint));
    }
    if (inspections.length === 0) return call;
    return { text, ownName, ownToken, caller: new InspectingCaller(caller, inspections) };
  }
}

/** The reply of one of the providers that were asked in turn. */
interface Told {
  readonly route: Route;
  readonly tell: () => void;
}

/** Failures that say nothing of the uri: it is unknown, or its upstream was not asked. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNKNOWN_RESOURCE',
  'UNKNOWN_PROMPT',
  'CAPABILITY_MISSING',
  'UPSTREAM_NOT_CONNECTED',
  'UPSTREAM_NEEDS_AUTH',
  'UPSTREAM_CRASH_LOOP',
]);

/** No such resource (2025-11-25, "Resources", "Error Handling"), no such method, and what the SDKs say about unknown uris. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(['-32002', '-32601', '-32602']);

function saysUnknown(reply: Reply): boolean {
  const { frame, body } = openReply(reply);
  if (typeOfByte(frame.byteAt(body.start)) !== 'object') return false;
  const code = lastMember(frame.membersOf(body), 'code');
  return code !== undefined && UNKNOWN_CODES.has(frame.raw(code));
}

function unknownText(what: string, { message, target }: CallText): string {
  const isName = message.method === 'tools/call' || message.method === 'prompts/get';
  if (!isName || target.length <= MAX_NAME_LENGTH) return `Unknown ${what}: ${target}`;
  return `Unknown ${what}: its name has ${target.length} characters; names have at most ${MAX_NAME_LENGTH}`;
}

/**
 * Returns true if a completion is for a prompt's argument; otherwise it is for a uri (2025-11-25, Completion,
 * "Reference Types").
 */
function isPromptRef({ message: { frame }, params, targetSpan }: CallText): boolean {
  const ref = lastMember(params, 'ref')!;
  return frame.membersOf(ref).some(({ key, start }) => key === 'name' && start === targetSpan.start);
}

/**
 * Returns the error for a state that the provider did not make: only modern servers make states, so one for any other
 * is from before a restart, or made up.
 */
function foreignState(text: CallText, caller: Caller, { provider }: Route): GatewayError | undefined {
  if (caller.client.era === 'legacy' || provider.era?.() === 'modern') return undefined;
  if (lastMember(text.params, 'requestState') === undefined) return undefined;
  return new GatewayError(
    'INVALID_PARAMS',
    'Invalid params: "requestState" is not valid: it was not made here, or before a restart; make the call again without it',
  );
}
