import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepositories } from '../src/testing/index.ts'

const identity = { name: 'svc', email: 'noreply@svc.invalid' }

test('protocols that the operator does not allow are refused', async () => {
  const { repositories, remove } = await makeRepositories({ identity, allow: {} })
  for (const repo_url of ['http://8.8.8.8/x', 'file:///srv/x.git', 'ssh://git@8.8.8.8/x', 'ext::sh -c id']) {
    const target = { kind: 'connected' as const, project_id: randomUUID(), repo_url, credential: null }
    await expect(repositories.open(target)).rejects.toMatchObject({ code: 'repository_not_allowed' })
  }
  await remove()
})

test('ssh is given the checked address and asks no questions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ssh-'))
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\necho "$@" > ${folder}/asked\nexit 255\n`, { mode: 0o755 })
  const { repositories, remove } = await makeRepositories({
    identity,
    allow: { ssh: true },
    lookup: () => Promise.resolve(['8.8.8.8']),
    environment: { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin` },
  })
  const repo_url = 'ssh://git@git.example:2222/owner/name.git'
  const target = { kind: 'connected' as const, project_id: randomUUID(), repo_url, credential: null }
  await expect(repositories.open(target)).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  const asked = await readFile(join(folder, 'asked'), 'utf8')
  expect(asked).toContain('-oBatchMode=yes')
  expect(asked).toContain('-oHostKeyAlias=git.example -oHostName=8.8.8.8')
  expect(asked).toContain('-p 2222 git@git.example git-upload-pack')
  await remove()
  await rm(folder, { recursive: true, force: true })
})
