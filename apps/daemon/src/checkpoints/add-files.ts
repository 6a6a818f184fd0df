import { existsSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inboxFolder } from '@svc/facts'
import { daemonLimits } from '../limits.ts'
import { GitError, type GitResult, must } from '../git/git.ts'
import { type Files, filesBelow, gitIn } from './git-in.ts'
import type { GitWith } from './git-with.ts'

const addAttempts = 5
/** The line in which git names a path that it cannot take. */
const complaint =
  /(?:unable to index file|could not open directory) '(.+)'|^error: (.+): can only add regular files/gm

/**
 * Puts everything that is not ignored into the index, and what came with messages. Another repository in the folder, of which git would keep a link
 * to a commit that only it has, goes in as its files. The paths that are too large or could not be read are left out and
 * returned.
 */
export async function addFiles(files: Files): Promise<string[]> {
  const git = gitIn(files)
  const large = await largeFiles(files)
  const added = await addExcept(git, large)
  // It is ignored, and no commit of the agent has it.
  if (existsSync(join(files.folder, inboxFolder)))
    await git({}, 'add', '-A', '-f', '--ignore-errors', '--', inboxFolder)
  const left_out = [...added.stderr.matchAll(complaint)].map(([, closed, special]) => closed ?? special ?? '')
  const unborn = [...added.stderr.matchAll(/^error: '(.+)\/' does not have a commit checked out$/gm)]
  if (!added.ok && left_out.length + unborn.length === 0) throw new GitError('Saving the files', added.stderr)
  const listed = await must('Reading the index', git({}, 'ls-files', '-s', '-z'))
  const links = [...listed.matchAll(/(?:^|\0)160000 [^\t]+\t([^\0]+)/g)]
  const paths = [...large, ...left_out]
  for (const [, path = ''] of [...links, ...unborn]) paths.push(...(await addRepository(files, path)))
  return paths
}

/** A file that the agent removes in the moment in which git reads it ends git, which may be tried again. */
async function addExcept(git: GitWith, paths: readonly string[]): Promise<GitResult> {
  const places = ['.', ...paths.map((path) => `:(exclude,literal)${path}`)]
  const how = ['-c', 'advice.addEmbeddedRepo=false', 'add', '-A', '--ignore-errors', '--']
  for (let attempt = 1; ; attempt += 1) {
    const added = await git({}, ...how, ...places)
    if (attempt === addAttempts || !added.stderr.includes('fatal: unable to stat')) return added
  }
}

/** A checkpoint would end before they are packed, and git leaves behind what it had packed of them by then. */
async function largeFiles(files: Files): Promise<string[]> {
  const changed = await gitIn(files)({}, 'ls-files', '-o', '-m', '-z', '--exclude-standard')
  const paths = new Set(changed.stdout.split('\0').filter((path) => path !== ''))
  return [...paths].filter((path) => sizeOf(join(files.folder, path)) > daemonLimits.checkpointFileBytes)
}

/** Zero for a file that is gone or closed, of which git itself complains. */
function sizeOf(path: string): number {
  try {
    return lstatSync(path).size
  } catch {
    return 0
  }
}

/** Adds the files that only a repository inside has; none when it came from elsewhere and is as it came. */
async function addRepository(files: Files, path: string): Promise<string[]> {
  const folder = join(files.folder, path)
  if (!existsSync(join(folder, '.git')) || (await isElsewhere(files, folder))) return []
  const index_file = `${files.index_file}.inside`
  rmSync(index_file, { force: true })
  try {
    const inside = await filesBelow(files, path, index_file)
    const left_out = await addFiles(inside)
    const tree = await must('Saving a repository inside', gitIn(inside)({}, 'write-tree'))
    const git = gitIn(files)
    await git({}, 'update-index', '--force-remove', '--', path)
    await must('Saving a repository inside', git({}, 'read-tree', `--prefix=${path}/`, tree))
    return left_out.map((name) => join(path, name))
  } catch (error) {
    if (error instanceof GitError) return [path]
    throw error
  } finally {
    rmSync(index_file, { force: true })
  }
}

async function isElsewhere({ git }: Files, folder: string): Promise<boolean> {
  const place = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder }
  const own = (...args: string[]) => git(place, '-C', folder, ...args)
  const status = await own('status', '--porcelain', '--ignore-submodules=none')
  if (!status.ok || status.stdout.trim() !== '') return false
  return (await own('branch', '-r', '--contains', 'HEAD')).stdout.trim() !== ''
}
