/** The part of the tree of systemd in which everything runs that one user has started. */
const USER_SLICE = /^(\/user\.slice\/user-\d+\.slice)(\/.*)?$/;
/**
 * The groups that a login and a desktop make below it: the user's manager, its slices, and a scope or service for each
 * session, terminal and application.
 */
const OF_DESKTOP =
  /^(?:user@\d+\.service|(?:app|session|background|app-[^/]*)\.slice|init\.scope|(?:app-[^/]*|session-[^/.]*|vte-spawn-[^/]*|tmux-spawn-[^/]*)\.scope|app-[^/]*\.service)$/;

/**
 * Returns the control groups of a process without those that tell only from which terminal or application a user has started
 * it. Two terminals of one user are the same surroundings; a container, a unit of the system or a group with limits is not.
 * @param text of `/proc/self/cgroup`
 */
export function cgroupIn(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [hierarchy = '', controllers = '', ...rest] = line.split(':');
      return [hierarchy, controllers, withoutDesktop(rest.join(':'))].join(':');
    })
    .join('\n');
}

function withoutDesktop(group: string): string {
  const [, slice, below = ''] = USER_SLICE.exec(group) ?? [];
  if (slice === undefined) return group;
  const isOfDesktop = below
    .split('/')
    .filter((name) => name !== '')
    .every((name) => OF_DESKTOP.test(name));
  return isOfDesktop ? slice : group;
}
