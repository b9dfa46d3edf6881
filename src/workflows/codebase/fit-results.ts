import { cutText } from '../../core/text/clean-text.ts';

/** One result of `search_code`, as clients get it. */
export interface CodeResult {
  readonly chunk_id: string;
  readonly repository_id: string;
  readonly file_path: string;
  readonly content: string;
  /** 1-based, inclusive, as `end_line`. */
  readonly start_line: number;
  readonly end_line: number;
  readonly similarity_score: number;
  readonly symbol?: string;
  readonly context_before?: string;
  readonly context_after?: string;
}

/** A low estimate: with every common tokenizer a token of code has more bytes. */
const BYTES_A_TOKEN = 3;

/** Returns an upper bound for the number of tokens of a value as JSON. */
export function tokensOf(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_A_TOKEN);
}

/**
 * Returns results of at most `maxTokens` tokens in total. Drops the lines around the results first, then the last results. The
 * best one stays, with as many of its lines as fit.
 */
export function fitResults(results: readonly CodeResult[], maxTokens: number): readonly CodeResult[] {
  if (tokensOf(results) <= maxTokens) return results;
  const bare = results.map(withoutContext);
  const kept: CodeResult[] = [];
  let left = maxTokens;
  for (const result of bare) {
    const size = tokensOf(result);
    if (size > left) break;
    left -= size;
    kept.push(result);
  }
  return kept.length > 0 || bare.length === 0 ? kept : [cutTo(bare[0]!, maxTokens)];
}

function withoutContext({ context_before: _before, context_after: _after, ...rest }: CodeResult): CodeResult {
  return rest;
}

function cutTo(result: CodeResult, maxTokens: number): CodeResult {
  const lines = result.content.split('\n');
  let cut = result;
  for (let count = lines.length - 1; count > 0 && tokensOf(cut) > maxTokens; count -= 1) {
    const content = lines.slice(0, count).join('\n');
    cut = { ...result, content, end_line: Math.min(result.end_line, result.start_line + count - 1) };
  }
  return cutLine(cut, maxTokens);
}

/** A single line may be too long, as in a file that a tool has written. */
function cutLine(result: CodeResult, maxTokens: number): CodeResult {
  let cut = result;
  for (let left = result.content.length >> 1; left > 0 && tokensOf(cut) > maxTokens; left >>= 1)
    cut = { ...cut, content: cutText(result.content, left) };
  return cut;
}
