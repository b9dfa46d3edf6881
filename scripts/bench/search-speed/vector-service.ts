// A service with vectors, in a process of its own: its work is not that of the gateway. Prints its address.
import { startOllama } from '../../../fixtures/services/ollama.ts';

const { url } = await startOllama({ dimensions: Number(process.argv[2]) });
process.stdout.write(url);
