// Indexes a folder, and says a word at the first sign of progress: node --import tsx index-until-killed.ts HOME ROOT [URL]
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';

const [, , home, root, url] = process.argv;
const knowledge = openKnowledge({ home: home!, url: url === '' ? undefined : url });
await knowledge.index(root!, { onProgress: () => void process.stdout.write('progress\n') });
await knowledge.close();
