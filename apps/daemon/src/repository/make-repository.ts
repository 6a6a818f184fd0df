import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../shared/make-folder.ts'

const folders = ['hooks', 'info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags']

const core = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
`

/**
 * Makes the repository of `git init`, as gitrepository-layout(5) has it, without its process and its samples. `HEAD` is
 * written last: without it git takes a folder for no repository, and `git init` completes one that was cut short.
 */
export function makeRepository(workspace: string, branch: string, configuration: string): void {
  const folder = join(workspace, '.git')
  for (const name of folders) makeFolder(join(folder, name))
  writeFileSync(join(folder, 'config'), `${core}${configuration}`)
  writeFileSync(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`)
}
