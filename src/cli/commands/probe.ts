import { probe } from '../../app/probe.ts';
import { EXIT } from '../exit-codes.ts';
import { print } from '../print.ts';

/** Tries Apple's Xcode bridge on this machine. */
export async function probeXcode(options: { readonly names: number }): Promise<void> {
  const answered = await probe({ env: process.env, names: options.names, print });
  process.exitCode = answered ? EXIT.ok : EXIT.failed;
}
