import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitEnvironment } from '../runner/environment.ts'

export interface CountedGit {
  /** The environment for createRepositories: its git is written down before it runs. */
  readonly environment: Readonly<Record<string, string>>
  /** The commands of every process that was started since the last time, in the order of the alphabet. */
  take(): Promise<string[]>
  remove(): Promise<void>
}

/** Counts the git processes that a piece of work starts. */
export async function countGit(): Promise<CountedGit> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-count-git-'))
  const log = join(folder, 'log')
  const path = gitEnvironment(folder).PATH ?? ''
  const script = `#!/bin/sh\necho "$1" >>'${log}'\nPATH='${path}' exec git "$@"\n`
  await writeFile(join(folder, 'git'), script, { mode: 0o755 })
  await writeFile(log, '')
  return {
    environment: { PATH: `${folder}:${path}` },
    async take() {
      const text = await readFile(log, 'utf8')
      await writeFile(log, '')
      return text.split('\n').filter(Boolean).sort()
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
