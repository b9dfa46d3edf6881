import { survive } from './survive.ts';

survive({ part: 3, of: 4 });
