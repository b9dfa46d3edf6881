import { EXIT } from '../terminal/exit-codes.ts';
import { print } from '../terminal/print.ts';
import { probe } from './probe-server.ts';

/** Tries Apple's Xcode bridge on this machine. */
export async function probeXcode(options: { readonly names: number }): Promise<void> {
  const answered = await probe({ env: process.env, names: options.names, print });
  process.exitCode = answered ? EXIT.ok : EXIT.failed;
}
