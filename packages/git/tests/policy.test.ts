import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepositories, makeRepository, startGitServer } from '../src/testing/index.ts'

const identity = { name: 'svc', email: 'noreply@svc.invalid' }

test('a private address is refused at the check and again at each fetch', async () => {
  const remote = await makeRepository({ files: { x: 'x' } })
  const host = await startGitServer({ root: remote.git_dir.replace(/\/[^/]*$/, '') })
  let address = '127.0.0.1'
  const lookup = () => Promise.resolve([address])
  const allowed = await makeRepositories({
    identity,
    allow: { http: true, private_addresses: ['127.0.0.0/8'] },
    lookup,
  })
  const project_id = randomUUID()
  const repo_url = `http://git.example:${host.port}/repository.git`
  const target = { kind: 'connected' as const, project_id, repo_url, credential: null }
  // The name exists nowhere, so reaching the host proves that the connection goes to the checked address.
  await allowed.repositories.check(repo_url)
  await allowed.repositories.open(target)
  address = '10.0.0.1'
  await expect(allowed.repositories.open(target)).rejects.toMatchObject({ code: 'repository_not_allowed' })
  await expect(allowed.repositories.check(repo_url)).rejects.toMatchObject({ code: 'repository_not_allowed' })
  await allowed.remove()
  await host.close()
  await remote.remove()
})

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
