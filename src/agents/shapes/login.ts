import { z } from 'zod';

/** The login to a server, in the form of our config. */
export interface AgentLogin {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly callbackPort?: number;
}

export interface LoginReading {
  /** `none` if the agent must not log in; `undefined` if the entry does not say. */
  readonly login: AgentLogin | 'none' | undefined;
  /** Members that are not used here, with the keys that lead to them. */
  readonly unused: readonly (readonly string[])[];
}

const scopeList = z.union([
  z.string().transform((text) => text.split(/\s+/).filter((scope) => scope !== '')),
  z.array(z.string()),
]);
const port = z.int().min(1).max(65_535);

/** Spellings of each member: of Claude Code, VS Code and Gemini; of opencode and Codex; of Cursor. */
const MEMBERS = {
  clientId: { names: ['clientId', 'client_id', 'CLIENT_ID'], value: z.string().min(1) },
  clientSecret: { names: ['clientSecret', 'client_secret', 'CLIENT_SECRET'], value: z.string().min(1) },
  scopes: { names: ['scopes', 'scope'], value: scopeList },
  callbackPort: { names: ['callbackPort', 'callback_port'], value: port },
} as const;

/** Reads what an entry says under `oauth` or `auth`, and the `scopes` beside it. */
export function loginOf({
  oauth,
  auth,
  scopes,
}: {
  readonly oauth?: unknown;
  readonly auth?: unknown;
  readonly scopes?: unknown;
}): LoginReading {
  const place = oauth === undefined ? 'auth' : 'oauth';
  const both = oauth !== undefined && auth !== undefined ? [['auth']] : [];
  const section = oauth ?? auth;
  if (section === false) return { login: 'none', unused: scopes === undefined ? both : [...both, ['scopes']] };
  const { login, rest } = membersOf(section);
  const beside = scopeList.safeParse(scopes).data;
  const all = { ...login, ...(login.scopes === undefined && beside !== undefined && { scopes: beside }) };
  const unreadScopes = scopes !== undefined && all.scopes !== beside ? [['scopes']] : [];
  return {
    login: Object.keys(all).length === 0 ? undefined : all,
    unused: [...both, ...rest.map((keys) => [place, ...keys]), ...unreadScopes],
  };
}

function membersOf(section: unknown): { login: AgentLogin; rest: string[][] } {
  if (section === undefined) return { login: {}, rest: [] };
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return { login: {}, rest: [[]] };
  const used = new Set<string>();
  const found = Object.entries(MEMBERS).flatMap(([member, { names, value }]) => {
    const name = names.find((one) => Object.hasOwn(section, one));
    const { data } = value.safeParse(name === undefined ? undefined : (section as Record<string, unknown>)[name]);
    if (data === undefined) return [];
    used.add(name!);
    return [[member, data]];
  });
  const rest = Object.keys(section).filter((name) => !used.has(name));
  return { login: Object.fromEntries(found) as AgentLogin, rest: rest.map((name) => [name]) };
}
