import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, must } from '../git/git.ts'

/** Files that are written before the processes that find the settings would have begun. */
const quickFiles = 2_000

/** True when the index that git has just written names few files, and none that another program writes. */
export function isQuick(workspace: string): boolean {
  const index = readFileSync(join(workspace, '.git', 'index'))
  return index.readUInt32BE(8) <= quickFiles && !index.includes('.gitattributes')
}

/** Writes files, also over those that an earlier attempt left; `-u` notes them in the index. */
export function write(git: Git, ...what: string[]): Promise<string> {
  return must('Checking out the branch', git('checkout-index', '-q', '-f', '-u', ...what))
}

/**
 * Reads a commit and begins to write its files, where that is done in a moment: says whether they came. Null where they
 * take their time. A sandbox loads this first, so that it imports little.
 */
export async function beginCheckOut(parts: {
  readonly git: Git
  readonly workspace: string
  readonly commit: string
}): Promise<{ readonly written: Promise<boolean> } | null> {
  const { git, workspace, commit } = parts
  await must('Reading the commit', git('read-tree', commit))
  if (!isQuick(workspace)) return null
  const written = write(git, '-a').then(
    () => true,
    () => false,
  )
  return { written }
}
