import { DocumentError } from '../document-error.ts';

/**
 * Returns a package that is installed with the gateway unless its user has left optional packages out.
 * @throws DocumentError that names the package if it is not there
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DocumentError(`the package ${name} is needed for it, and not installed: npm install ${name}`, error);
  }
}
