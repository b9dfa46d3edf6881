import { looksRandom } from '../forms/values.ts';
import { type Span, spansOf } from '../spans.ts';
import { jwts } from './jwts.ts';
import { privateKeys } from './private-keys.ts';

/** A secret that is known by its own form, regardless of the text around it. */
interface TokenForm {
  readonly kind: string;
  /** Returns the spans of such secrets in a text, in order. */
  readonly find: (text: string) => Iterable<Span>;
}

/** Not in the middle of a longer word: there the same letters mean nothing. */
const START = '(?<![A-Za-z0-9_])';

function token(kind: string, ...forms: readonly string[]): TokenForm {
  const pattern = new RegExp(`${START}(?:${forms.join('|')})`, 'g');
  return { kind, find: (text) => spansOf(pattern, text) };
}

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

/** Matches values that are public though they look like keys: publishable keys, checksums, ids. */
const PUBLIC_PREFIX =
  /^(?:pk|pub|public|sha\d*|md5|css|id|msg|req|run|uuid|toolu|chatcmpl|resp|cs|pi|evt|build|image|commit)[_-]/;
const PREFIXED =
  /(?<![\w./+-])[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{2,8}){0,2}[_-](?=[A-Za-z0-9])[A-Za-z0-9]{30,200}(?:_[A-Za-z0-9]{4,12})?(?![\w/+-])/g;

/**
 * A long part that looks drawn by lot behind a short name: how most services build their tokens, also those that are not listed.
 */
function* prefixedTokens(text: string): Generator<Span> {
  for (const span of spansOf(PREFIXED, text)) {
    const whole = text.slice(span.start, span.end);
    const body = whole.split(/[_-]/).find(({ length }) => length >= 30) ?? '';
    if (!PUBLIC_PREFIX.test(whole) && isKeyBody(whole, body)) yield span;
  }
}

/** Hexadecimal digits alone may be a hash behind a word; a name with two parts (`acme_live_…`) tells that they are a key. */
function isKeyBody(whole: string, body: string): boolean {
  if (/^[a-f0-9]+$/.test(body))
    return /^[a-z0-9]{2,12}_(?:live|test|prod|pat|key|sk|secret)_|^[a-z]{2,3}[a-z0-9]?_/.test(whole);
  return looksRandom(body);
}

/** The forms of tokens, more specific ones first. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'private-key', find: privateKeys },
  token('private-key', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}'),
  token('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])', 'ABSK[A-Za-z0-9+/]{100,269}={0,2}'),
  token('alibaba-key', 'LTAI(?=[A-Za-z]{0,16}\\d)[A-Za-z0-9]{12,20}(?![A-Za-z0-9])'),
  token('azure-secret', String.raw`[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`),
  token('github-token', 'gh[pousr]_[A-Za-z0-9]{30,255}', 'github_pat_[A-Za-z0-9_]{30,255}'),
  token(
    'gitlab-token',
    'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}',
    'GR1348941[A-Za-z0-9_-]{20}',
  ),
  token('slack-token', String.raw`xox[a-z](?:\.[a-z]+)?-[A-Za-z0-9-]{10,}`, String.raw`xapp-\d-[A-Za-z0-9-]{10,}`),
  token('slack-webhook', String.raw`https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{20,}`),
  token(
    'discord-webhook',
    String.raw`https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[A-Za-z0-9_-]{30,}`,
  ),
  token('teams-webhook', String.raw`https:\/\/[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2\/[A-Za-z0-9@/-]{60,}`),
  token('stripe-key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}', 'whsec_[A-Za-z0-9+/=]{20,}'),
  token('anthropic-key', 'sk-ant-[A-Za-z0-9_-]{20,}'),
  token(
    'openai-key',
    'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}',
    String.raw`sk-(?=[A-Za-z-]{0,30}\d)[A-Za-z0-9]{32,}`,
    'sk-or-v1-[a-f0-9]{32,}',
  ),
  token(
    'google-key',
    'AIza[A-Za-z0-9_-]{35}',
    String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
    'GOCSPX-[A-Za-z0-9_-]{20,}',
    String.raw`1\/\/0[A-Za-z0-9_-]{30,}`,
  ),
  token('npm-token', 'npm_[A-Za-z0-9]{30,}'),
  token('pypi-token', 'pypi-[A-Za-z0-9_-]{50,}'),
  token('docker-token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'),
  token('huggingface-token', 'hf_[A-Za-z0-9]{30,}'),
  token('sendgrid-key', String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}`),
  token('telegram-token', String.raw`(?:bot)?\d{8,10}:AA[A-Za-z0-9_-]{33}`),
  token('discord-token', String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`),
  token('twilio-key', 'SK[a-f0-9]{32}(?![A-Za-z0-9])'),
  token('azure-signature', '(?<=[?&])sig=[A-Za-z0-9%+/=]{20,}'),
  { kind: 'jwt', find: jwts },
  token(
    'api-token',
    'do[opr]_v1_[a-f0-9]{40,}',
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}',
    'dapi[a-f0-9]{32}',
    String.raw`hv[sbr]\.[A-Za-z0-9_-]{24,}`,
    'lin_(?:api|oauth)_[A-Za-z0-9]{32,}',
    '(?:ntn|secret)_[A-Za-z0-9]{40,}',
    'sbp_[a-f0-9]{40}',
    'sntry[su]_[A-Za-z0-9+/=_-]{40,}',
    'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}',
    String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}`,
    'figd_[A-Za-z0-9_-]{30,}',
    'ATATT3[A-Za-z0-9_=-]{50,}',
    'PMAK-[a-f0-9]{24}-[a-f0-9]{30,}',
    'gl(?:sa|c)_[A-Za-z0-9+/=_]{30,}',
    'NRAK-[A-Z0-9]{27}',
    String.raw`(?:gsk|r8|tvly|nvapi|xai|pplx|bkua|rubygems)[_-](?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{24,}`,
    'tskey-[a-z]{2,12}-[A-Za-z0-9-]{16,}',
    'key-[a-f0-9]{32}(?![A-Za-z0-9])',
    String.raw`[a-f0-9]{32}-us\d{1,2}(?!\w)`,
    String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}`,
    'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}',
    'EAA[A-Z](?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9+/_=-]{56,}',
    String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`,
    String.raw`dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}`,
    'pul-[a-f0-9]{40}',
    'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}',
    'oy2[a-z0-9]{43}',
    'sha256~[A-Za-z0-9_-]{43}',
    'EZ[AT]K[A-Za-z0-9]{54}',
    'AKCp[A-Za-z0-9]{60,}',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
    'CLOJARS_[a-z0-9]{60}',
    `pat-(?:na|eu)\\d-${UUID}`,
    `access-(?:sandbox|development|production)-${UUID}`,
    'HRKU-[A-Za-z0-9_-]{36,}',
    String.raw`(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`,
    'NRJS-[a-f0-9]{19}',
    'p8e-[a-z0-9]{32}',
    'dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}',
    'FLW(?:SECK|PUBK)_(?:TEST|LIVE)-[a-hA-H0-9]{12,32}(?:-X)?',
    'fio-u-[A-Za-z0-9_=-]{64}',
    's-s4t2(?:ud|af)-[a-f0-9]{64}',
    String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`,
    String.raw`sl\.[A-Za-z0-9_=-]{60,}`,
    'AQVN[A-Za-z0-9_-]{35,38}',
    'YC[A-Za-z0-9_-]{38}(?![A-Za-z0-9_-])',
    '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk',
    'API-[A-Z0-9]{26}(?![A-Z0-9])',
    'tk-us-[A-Za-z0-9_-]{48}',
    'RG[A-Z]{2}-[A-Za-z0-9-]{36}',
    'ico-[A-Za-z0-9]{32}',
    'fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}',
    'ops_eyJ[A-Za-z0-9+/]{100,}={0,3}',
  ),
  { kind: 'api-token', find: prefixedTokens },
];
