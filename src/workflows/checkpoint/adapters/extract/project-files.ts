import { cutOutsideSecrets } from '../../../../redaction/cut-outside-secrets.ts';
import { withoutBlocks } from '../files/managed-block.ts';

/** A file of the project, by its path from the project's folder with `/`. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** A rule for agents, in the form of the bundle. */
export interface ExtractedInstruction {
  id: string;
  scope: 'project';
  format: 'markdown';
  source_path: string;
  content: string;
}

/** A spec of Kiro's, in the form of the bundle. */
export interface ExtractedSpec {
  id: string;
  title: string;
  source_path: string;
  requirements_md?: string;
  design_md?: string;
  tasks_md?: string;
}

const SPEC_FILE = /^\.kiro\/specs\/([^/]+)\/(requirements|design|tasks)\.md$/;
const STEERING_FILE = /^\.kiro\/steering\/[^/]+\.md$/;
const MAX_TEXT_CHARS = 64_000;

/** Files with rules for agents in a project, besides the steering files of Kiro. */
export const INSTRUCTION_FILES: readonly string[] = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];

/** Returns the rules in a project's files; what we ourselves wrote into them is none of the project's. */
export function instructionsIn(files: readonly ProjectFile[]): ExtractedInstruction[] {
  return files
    .filter(({ path }) => INSTRUCTION_FILES.includes(path) || STEERING_FILE.test(path))
    .map(({ path, text }) => ({
      id: `file:${path}`,
      scope: 'project' as const,
      format: 'markdown' as const,
      source_path: path,
      content: cutOutsideSecrets(withoutFrontMatter(withoutBlocks(text)), MAX_TEXT_CHARS),
    }))
    .filter(({ content }) => content !== '');
}

/** Returns Kiro's specs, one for each folder. */
export function kiroSpecsIn(files: readonly ProjectFile[]): ExtractedSpec[] {
  const specs = new Map<string, ExtractedSpec>();
  for (const { path, text } of files) {
    const [, name, part] = SPEC_FILE.exec(path) ?? [];
    if (name === undefined) continue;
    const spec = specs.get(name) ?? { id: `kiro:${name}`, title: name, source_path: `.kiro/specs/${name}` };
    spec[`${part as 'requirements' | 'design' | 'tasks'}_md`] = cutOutsideSecrets(text, MAX_TEXT_CHARS);
    specs.set(name, spec);
  }
  return [...specs.values()];
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/, '').trim();
}
