import { survive } from './survive.ts';

survive({ part: 0, of: 4 });
