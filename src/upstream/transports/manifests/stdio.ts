import type { TransportManifest } from './manifest.ts';

export const stdio: TransportManifest = {
  type: 'stdio',
  addresses: { command: { keys: ['args', 'env', 'cwd', 'inheritEnv'] } },
  load: async () => (await import('../stdio.ts')).stdio,
};
