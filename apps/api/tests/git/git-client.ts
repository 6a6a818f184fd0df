import { execFile, type ExecFileException } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { ApiParts } from '../../src/index.ts'
import { openWorld } from '../support/world.ts'

interface GitResult {
  readonly code: number
  readonly text: string
}

/** A managed project of the owner and the real git, which reaches it as a user's would, for one test file. */
export async function openGit(changes: Partial<ApiParts> = {}) {
  const world = await openWorld(changes)
  const project = await world.ask('POST', '/v1/projects/provision', { name: 'x' })
  const project_id = project.pick('project_id')
  const folder = await mkdtemp(join(tmpdir(), 'svc-git-http-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@svc.invalid',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@svc.invalid',
  }

  function git(args: readonly string[], token?: string): Promise<GitResult> {
    return new Promise((resolve) => {
      const all = [...(token === undefined ? [] : credentialOf(token)), ...args]
      execFile('git', all, { env }, (error: ExecFileException | null, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout + stderr })
      })
    })
  }

  const address = (id = project_id) => `${world.api.origin}/v1/git/${id}.git`

  return {
    ...world,
    project_id,
    push_token: project.pick('push_token'),
    stranger: await world.platform.stranger(),
    folder,
    git,
    address,
    async clone(token: string, id = project_id): Promise<string> {
      const target = await mkdtemp(join(folder, 'clone-'))
      expect(await git(['clone', '--quiet', address(id), target], token)).toMatchObject({ code: 0 })
      return target
    },
    async change(target: string, name: string, content: string | Uint8Array) {
      await writeFile(join(target, name), content)
      await git(['-C', target, 'add', '-A'])
      expect(await git(['-C', target, 'commit', '-qm', `Add ${name}`])).toMatchObject({ code: 0 })
    },
  }
}

function credentialOf(token: string): string[] {
  const password = Buffer.from(`x-access-token:${token}`).toString('base64')
  return ['-c', `http.extraHeader=Authorization: Basic ${password}`]
}
