import { onTestFinished } from 'vitest';

/** Until the end of the test this is Windows, as far as code asks. */
export function onWindows(): void {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
}
