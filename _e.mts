import fs from 'node:fs';
import { examinePattern } from './scripts/regex/examine.ts';
import { patternsOf, sourceFiles } from './scripts/regex/find-patterns.ts';
const t0=performance.now();let n=0;
const list=[...sourceFiles('src').flatMap(f=>patternsOf(f,fs.readFileSync(f,'utf8')).literals)];
if(process.argv[2]==='old')list.length=0,list.push(...JSON.parse(fs.readFileSync('/tmp/team/i13-b/patterns.json','utf8')).map((p:any)=>({place:p.at,...p})));
for(const p of list){const t=performance.now();let r;try{r=examinePattern(p.source,p.flags)}catch(e:any){r='ERR '+e.stack};const d=performance.now()-t;if(r||d>300)console.log(`${p.place} ${d|0}ms\n  /${p.source.slice(0,120)}/${p.flags}\n   ${r}`);n++}
console.log(n,performance.now()-t0|0,'ms',process.cpuUsage().user/1e6);
