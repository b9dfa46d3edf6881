import { PROBES, promptOf } from '../../../src/workflows/ml/probes/probes.ts';

/** Answers each probe correctly, in Markdown; but for those whose ids are given. */
export function clever(...failing: string[]): (prompt: string) => string {
  return (prompt) => {
    const probe = PROBES.find((one) => promptOf(one) === prompt)!;
    return failing.includes(probe.id) ? 'I do not know.' : `Let me think.\n\n**Answer:** ${probe.expected}.`;
  };
}
