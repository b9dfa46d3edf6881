import { fileFailure } from '../../../workspace/failures.ts';

/** What the system refuses is said in words. */
export async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(path, error);
  }
}
