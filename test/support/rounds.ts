/** The number of rounds of a race: few by default, because each takes seconds; the variable asks for another number. */
export function roundsOf(variable: 'VIADUCT_RACE_ROUNDS' | 'VIADUCT_KILL_ROUNDS', byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return byDefault;
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`${variable} is ${text}: it must be a whole number from 1`);
  return rounds;
}
