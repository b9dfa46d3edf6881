import type { TaskChange } from '../../core/projects/project-task.ts';
import { redact } from '../../redaction/redact.ts';
import type { TasksOptions } from './options.ts';

/** Members that people and agents write. Names of branches and hashes stay as they are, so that they can be found. */
type Texts = Pick<TaskChange, 'title' | 'description' | 'notes' | 'planningReferences'>;

/** Takes what looks like a secret out of the texts of a task. */
export type Clean = <T extends Texts>(task: T) => T;

/** Returns what cleans tasks as the config says. */
export function cleaner({ redaction }: TasksOptions): Clean {
  if (redaction === 'off') return (task) => task;
  return (task) => ({ ...task, ...redact(textsOf(task)).value });
}

function textsOf({ title, description, notes, planningReferences }: Texts): Texts {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(notes !== undefined && { notes }),
    ...(planningReferences !== undefined && { planningReferences }),
  };
}
