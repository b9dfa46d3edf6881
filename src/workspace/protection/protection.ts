import path from 'node:path';
import { nameFilter } from '../../core/access/name-filter.ts';
import type { GatewayError } from '../../core/errors.ts';
import { protectedFailure } from '../failures.ts';
import type { Place } from '../place.ts';
import { findAlias, treeOf } from './aliases.ts';
import { Disk } from './disk.ts';
import { isGitFolder, makesGitFolder, pathsOfGit } from './git.ts';
import type { ClosedFolder, Guard } from './guard.ts';
import { hasNameIn } from './hard-links.ts';
import { NamePattern } from './names.ts';
import { type Intent, isForbidden, type ProtectedPath, type ProtectionRules, type Relation } from './rules.ts';
import { type Spot, spotOf } from './spot.ts';
import { lieOf, trailOf } from './trail.ts';

interface Finding {
  readonly what: string;
  readonly relation: Relation;
  readonly isSecret?: boolean | undefined;
  readonly canBeLifted?: boolean | undefined;
}

const BECOMES_REPOSITORY = 'a file that makes git take its folder for a repository, whose settings may name commands';
const IN_REPOSITORY = 'a repository of git without working tree, whose settings may name commands';

/** The guard that follows rules. Everything is looked up at each check: links, folders and settings of git come and go. */
export class Protection implements Guard {
  readonly #rules: ProtectionRules;
  readonly #patterns: readonly NamePattern[];
  readonly #tree: ReturnType<typeof treeOf>;
  readonly #isLifted: (shown: string) => boolean;

  constructor(rules: ProtectionRules) {
    this.#rules = rules;
    this.#patterns = rules.names.map((name) => new NamePattern(name));
    this.#tree = treeOf(this.#patterns);
    this.#isLifted = nameFilter({ allow: rules.unprotected, deny: [] });
  }

  async closedFolders(): Promise<readonly ClosedFolder[]> {
    const disk = new Disk();
    const secrets = this.#rules.paths.filter(({ isSecret }) => isSecret === true);
    return secrets.flatMap(({ path: place, what }) => {
      const { end } = trailOf(disk, place);
      return end === undefined || end.isFile ? [] : [{ identity: end.identity, what }];
    });
  }

  async check(place: Place, intent: Intent): Promise<void> {
    if (place.isTop) return;
    const disk = new Disk();
    const spot = await spotOf(place, disk);
    const finding = await this.#find(spot, { disk, intent, isLifted: this.#isLifted(place.shown) });
    if (finding !== undefined) throw refusalOf(place, finding, intent);
  }

  async #find(spot: Spot, question: Question): Promise<Finding | undefined> {
    const { intent, isLifted } = question;
    const paths = this.#rules.paths.filter(
      ({ isSecret, canBeLifted }) => (intent !== 'read' || isSecret === true) && (!isLifted || canBeLifted !== true),
    );
    const found = findPath(spot, paths, question) ?? (await this.#findHardLink(spot, question));
    if (found !== undefined || intent === 'read' || isLifted) return found;
    return this.#findName(spot, intent) ?? this.#findLink(spot, question) ?? this.#findGit(spot, question);
  }

  /** An entry in a folder that is not read may have another name beside it. */
  async #findHardLink({ self }: Spot, { disk }: Question): Promise<Finding | undefined> {
    if (self?.isFile() !== true || self.nlink < 2n) return undefined;
    for (const { path: folder, what, isSecret } of this.#rules.paths) {
      if (isSecret !== true) continue;
      const { end } = trailOf(disk, folder);
      // No file has names on two file systems.
      if (end === undefined || end.isFile || end.identity.dev !== self.dev) continue;
      if (await hasNameIn(folder, self)) return { what, relation: 'inside', isSecret };
    }
    return undefined;
  }

  #findName({ plainNames }: Spot, intent: Intent): Finding | undefined {
    for (const pattern of this.#patterns) {
      const relation = pattern.relationOf(plainNames);
      if (relation !== undefined && isForbidden(relation, intent))
        return { what: pattern.what, relation, canBeLifted: true };
    }
    return undefined;
  }

  #findLink(spot: Spot, { disk, intent }: Question): Finding | undefined {
    const found = findAlias(spot, { tree: this.#tree, patterns: this.#patterns, disk, intent });
    return found && { ...found, canBeLifted: true };
  }

  #findGit(spot: Spot, question: Question): Finding | undefined {
    const { disk } = question;
    const found = findPath(spot, pathsOfGit(spot, disk, this.#rules), question);
    if (found !== undefined) return found;
    for (const folder of spot.paths.slice(0, spot.names.length))
      if (isGitFolder(folder, disk)) return { what: IN_REPOSITORY, relation: 'inside', canBeLifted: true };
    // The folders that are missing are made, too.
    for (let index = spot.folders.length - 1; index < spot.names.length; index++) {
      const folder = path.join(spot.paths.at(-1)!, ...spot.names.slice(spot.folders.length - 1, index));
      if (makesGitFolder(folder, spot.names[index]!, disk))
        return { what: BECOMES_REPOSITORY, relation: 'same', canBeLifted: true };
    }
    return undefined;
  }
}

interface Question {
  readonly disk: Disk;
  readonly intent: Intent;
  readonly isLifted: boolean;
}

function findPath(spot: Spot, paths: readonly ProtectedPath[], { disk, intent }: Question): Finding | undefined {
  for (const { path: place, what, onlyIfFile, isSecret, canBeLifted } of paths) {
    const trail = trailOf(disk, place);
    if (onlyIfFile === true && trail.end?.isFile !== true) continue;
    const lie = lieOf(spot, trail);
    if (lie !== undefined && isForbidden(lie.relation, intent))
      return { what, relation: lie.relation, isSecret, canBeLifted };
  }
  return undefined;
}

const RELATION_WORDS: Readonly<Record<Relation, string>> = {
  same: 'it is',
  inside: 'it is in',
  above: 'it leads to',
};

function refusalOf(place: Place, { what, relation, isSecret, canBeLifted }: Finding, intent: Intent): GatewayError {
  const why = `${RELATION_WORDS[relation]} ${what}`;
  return protectedFailure(place.shown, why, adviceFor({ intent, isSecret, canBeLifted }));
}

function adviceFor({ intent, isSecret, canBeLifted }: Pick<Finding, 'isSecret' | 'canBeLifted'> & { intent: Intent }) {
  if (intent === 'read' || isSecret === true) return 'tools neither read nor change it';
  return canBeLifted === true
    ? 'tools do not change it: do it by hand, or name it in workspace.unprotected of the config'
    : 'tools do not change it: do it by hand';
}
