// Tries Apple's Xcode bridge by hand (npm run probe): Xcode asks its user, so no automatic test can.
import { probe } from '../src/commands/probe/probe-server.ts';

const names = Number(process.argv[2] ?? 10);
const answered = await probe({ env: process.env, names, print: (line) => process.stdout.write(`${line}\n`) });
process.exit(answered ? 0 : 1);
