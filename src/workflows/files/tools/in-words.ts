import { fileFailure } from '../../../workspace/failures.ts';

/** Turns a refusal of the system into words. */
export async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(path, error);
  }
}
