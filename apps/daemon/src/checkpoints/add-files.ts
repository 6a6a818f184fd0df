import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { GitError, must } from '../repository/git.ts'
import { type Files, filesBelow, gitIn } from './git-in.ts'

/**
 * Puts everything that is not ignored into the index. Another repository in the folder, of which git would keep a link
 * to a commit that only it has, goes in as its files. The paths that could not be read are left out and returned.
 */
export async function addFiles(files: Files): Promise<string[]> {
  const git = gitIn(files)
  const added = await git({}, '-c', 'advice.addEmbeddedRepo=false', 'add', '-A', '--ignore-errors', '--', '.')
  const left_out = [...added.stderr.matchAll(/(?:unable to index file|could not open directory) '(.+)'/g)]
  const unborn = [...added.stderr.matchAll(/^error: '(.+)\/' does not have a commit checked out$/gm)]
  if (!added.ok && left_out.length + unborn.length === 0) throw new GitError('Saving the files', added.stderr)
  const listed = await must('Reading the index', git({}, 'ls-files', '-s', '-z'))
  const links = [...listed.matchAll(/(?:^|\0)160000 [^\t]+\t([^\0]+)/g)]
  const paths = left_out.map(([, path = '']) => path)
  for (const [, path = ''] of [...links, ...unborn]) paths.push(...(await addRepository(files, path)))
  return paths
}

/** What a repository inside has and nobody else; nothing when it came from elsewhere and is as it came. */
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
