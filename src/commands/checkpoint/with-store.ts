import { openSettings } from '../terminal/open-settings.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { projectIn } from './read-checkpoints.ts';

/** Runs a command's work with the store of checkpoints. Sets the exit code that the work gives. */
export async function withStore(
  options: { readonly config?: string },
  work: (open: OpenStore) => Promise<number>,
): Promise<void> {
  const open = openStore(await openSettings(options.config, 'error'));
  try {
    process.exitCode = await work(open);
  } finally {
    await open.close();
  }
}

/** Returns the project that was named, else that of the folder in which the command was started. */
export async function namedProject(name: string | undefined, { store }: OpenStore): Promise<string> {
  return name ?? projectIn(process.cwd(), store);
}
