import { survive } from './survive.ts';

survive({ part: 1, of: 4 });
