import { jwts } from './jwts.ts';
import { privateKeys } from './private-keys.ts';
import { type Span, spansOf } from './spans.ts';

/** A secret that is known by its own form, whatever stands around it. */
interface TokenForm {
  readonly kind: string;
  /** Where such secrets stand in a text, in order. */
  readonly find: (text: string) => Iterable<Span>;
}

/** Not in the middle of a longer word: there the same letters mean nothing. */
const START = '(?<![A-Za-z0-9_])';

function token(kind: string, ...forms: readonly string[]): TokenForm {
  const pattern = new RegExp(`${START}(?:${forms.join('|')})`, 'g');
  return { kind, find: (text) => spansOf(pattern, text) };
}

/** In this order: what is more specific first. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'private-key', find: privateKeys },
  token('private-key', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}'),
  token('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  token('github-token', 'gh[pousr]_[A-Za-z0-9]{30,255}', 'github_pat_[A-Za-z0-9_]{30,255}'),
  token('gitlab-token', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{20,}'),
  token('slack-token', String.raw`xox[a-z](?:\.[a-z]+)?-[A-Za-z0-9-]{10,}`, String.raw`xapp-\d-[A-Za-z0-9-]{10,}`),
  token('slack-webhook', String.raw`https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{20,}`),
  token(
    'discord-webhook',
    String.raw`https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[A-Za-z0-9_-]{30,}`,
  ),
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
  token('telegram-token', String.raw`\d{8,10}:AA[A-Za-z0-9_-]{33}`),
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
  ),
];
