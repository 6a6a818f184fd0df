import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBranch, resolveBranch } from '../../src/index.ts'
import { makeRepository } from '../../src/testing/index.ts'
import { childrenNaming, name, openHost, project_id, remote } from './hosted.ts'

const { cache_root, credential, folder, host, open, repositories, root, target } = await openHost()

test.each([
  ['answers 503', 503, {}],
  ['answers 404', 404, {}],
  ['redirects elsewhere', 302, { location: 'http://127.0.0.1:1/x.git/info/refs?service=git-upload-pack' }],
])('a host that %s is unavailable', async (_, status, headers) => {
  host.answer = (_request, response) => {
    response.writeHead(status, headers).end()
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable', details: { retry_after: 5 } })
  host.answer = null
  expect(await resolveBranch(await open(), 'main')).toBe(await remote.tip('main'))
})

test('a redirect to another path of the host is not followed', async () => {
  const other = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`), files: { x: 'x' } })
  host.answer = (request, response) => {
    if (!request.url?.startsWith(`/${name}`)) return false
    const path = request.url.replace(name, other.git_dir.slice(folder.length + 1))
    response.writeHead(302, { location: `http://127.0.0.1:${host.port}${path}` }).end()
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
})

test('a wrong credential, none, and a host that is not there', async () => {
  for (const overrides of [
    { credential: { username: 'x', token: 'wrong' } },
    { credential: null },
    { repo_url: 'http://127.0.0.1:1/x.git' },
    { repo_url: 'file:///nonexistent.git' },
  ]) {
    await expect(repositories.open(target(overrides))).rejects.toMatchObject({
      code: 'git_mirror_unavailable',
    })
  }
})

test('a caller that leaves does not wait for a silent host, and leaves no process', async () => {
  const asked = new Promise<void>((resolve) => {
    host.answer = () => {
      resolve()
      return true
    }
  })
  const controller = new AbortController()
  const opening = open({ signal: controller.signal })
  await asked
  expect(await childrenNaming(name)).not.toBe('')
  controller.abort(new Error('deadline'))
  await expect(opening).rejects.toThrow('deadline')
  await expect.poll(() => childrenNaming(name)).toBe('')
  host.answer = null
  expect(await resolveBranch(await open(), 'main')).toBe(await remote.tip('main'))
})

test('the credential is on no command line and in no file', async () => {
  const basic = Buffer.from(`${credential.username}:${credential.token}`).toString('base64')
  const seenLines: string[] = []
  host.answer = (_request, response) => {
    void childrenNaming(name).then((text) => {
      seenLines.push(text)
      host.answer = null
      response.writeHead(503).end()
    })
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  const repository = await open()
  await createBranch(repository, { branch: 'new', at_sha: await remote.tip('main') })
  expect(seenLines.join('\n')).toContain(name)
  const everything = [...seenLines, ...(await filesUnder(cache_root))].join('\n')
  expect(everything).not.toContain(credential.token)
  expect(everything).not.toContain(basic)
  expect(JSON.stringify(repository)).not.toContain(credential.token)
  expect(host.requests.some((request) => request.authorization === `Basic ${basic}`)).toBe(true)
  expect(host.requests.some((request) => request.path.includes(credential.token))).toBe(false)
})

test('local addresses work when allowed, but never those of the platform itself', async () => {
  const repository = await repositories.open(target({ repo_url: remote.url, credential: null }))
  expect(await resolveBranch(repository, 'main')).toBe(await remote.tip('main'))
  const other = randomUUID()
  await repositories.createManaged(other, 'main')
  for (const repo_url of [`file://${root}/${other}.git`, `file://${cache_root}/${project_id}.git`]) {
    await expect(repositories.open(target({ project_id: randomUUID(), repo_url }))).rejects.toMatchObject({
      code: 'repository_not_allowed',
    })
    await expect(repositories.check(repo_url)).rejects.toMatchObject({ code: 'repository_not_allowed' })
  }
})

async function filesUnder(folderPath: string): Promise<string[]> {
  const entries = await readdir(folderPath, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
}
