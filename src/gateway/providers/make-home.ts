import { makeFolder } from '../../core/folders/make-folder.ts';

/**
 * Makes the gateway's folder for its own files, if it is not there.
 * @throws Error that says why it cannot be made and what to do
 */
export function makeHome(home: string): void {
  try {
    makeFolder(home, 0o700);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice = 'name a folder of your own in $VIADUCT_HOME';
    throw new Error(
      `the folder ${home}, where Viaduct keeps its files, cannot be made (${code ?? message}): ${advice}`,
      {
        cause: error,
      },
    );
  }
}
