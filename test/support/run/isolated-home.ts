import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { removeFolder } from '../folders.ts';

/** Every test file has a home of its own: no test sees what another, or the developer's own gateway, has left. */
const home = mkdtempSync(path.join(tmpdir(), 'viaduct-home-'));
process.env.VIADUCT_HOME = home;
// A shared gateway would outlive its test. Tests of shared gateways ask for one.
process.env.VIADUCT_GATEWAY = 'private';
// Most homes are used once: their gateways would write compiled code that nobody reads. Tests of it switch it on.
process.env.NODE_DISABLE_COMPILE_CACHE = '1';

afterAll(() => removeFolder(home));
