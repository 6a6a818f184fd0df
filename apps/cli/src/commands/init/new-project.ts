import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { git } from '../../git.ts'
import { scaffold } from './scaffold.ts'

/** `svc <project-name>`: a new folder with a project that can be shipped as it is. */
export async function newProject(cli: Cli, name: string): Promise<void> {
  const folder = join(cli.io.cwd, name)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) {
    throw new OperationError(`the folder ${name} is not empty`, `cd ${name}, then svc init`)
  }
  await scaffold(cli, { folder, name })
  await git(folder, ['add', '--all'])
  const committed = await git(folder, ['commit', '--quiet', '--message', 'Start the project'])
  if (committed.code === 0) return cli.out.note(`next: cd ${name}, then svc ship`)
  cli.out.note(`Nothing is committed yet: ${committed.stderr.trim().split('\n')[0] ?? 'git refused'}`)
  cli.out.note(`next: cd ${name}, git commit -m "Start the project", then svc ship`)
}
