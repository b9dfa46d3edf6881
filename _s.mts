import fs from 'node:fs';
import { attacksOn, attackText } from './scripts/regex/attacks.ts';
import { countSteps } from './scripts/regex/count-steps.ts';
import { compile, parsePattern } from './scripts/regex/program.ts';
import { patternsOf, sourceFiles } from './scripts/regex/find-patterns.ts';
const list=[...sourceFiles('src').flatMap(f=>patternsOf(f,fs.readFileSync(f,'utf8')).literals)];
const rows=[];let T=0,A=0;
for(const p of list){const pat=parsePattern(p.source,p.flags);const prog=compile(pat,p.flags);let n=0,steps=0,max=0,maxA:any,uniq=new Set<string>();
 for(const a of attacksOn(pat,p.flags)){n++;const t=attackText(a,128);uniq.add(t);const c=countSteps(prog,t,1e7);steps+=c.steps;if(c.steps/t.length>max){max=c.steps/t.length;maxA=a}}
 rows.push([steps,n,uniq.size,max|0,p.place,JSON.stringify(maxA)]);T+=steps;A+=n}
rows.sort((a:any,b:any)=>b[0]-a[0]);for(const r of rows.slice(0,15))console.log(r.join(' '));
console.log('by max');rows.sort((a:any,b:any)=>b[3]-a[3]);for(const r of rows.slice(0,25))console.log(r.join(' ').slice(0,200));
console.log(T/1e6,A);
