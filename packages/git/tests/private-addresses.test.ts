import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Lookup, resolveBranch } from '../src/index.ts'
import {
  commit,
  type GitServer,
  makeRepositories,
  makeRepository,
  startGitServer,
} from '../src/testing/index.ts'

/** A private server on this machine, which counts its connections. */
let secret: Server
let secret_port: number
let visits = 0
let folder: string
let host: GitServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-addresses-'))
  secret = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => secret.listen(0, '0.0.0.0', resolve))
  const address = secret.address()
  secret_port = typeof address === 'object' && address !== null ? address.port : 0
  host = await startGitServer({ root: folder })
})
afterAll(async () => {
  await host.close()
  await new Promise((resolve) => secret.close(resolve))
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  visits = 0
  host.answer = null
})

const target = (repo_url: string) => ({
  kind: 'connected' as const,
  project_id: randomUUID(),
  repo_url,
  credential: { username: 'x', token: 'very-secret-token' },
})

const answers =
  (...addresses: string[]): Lookup =>
  () =>
    Promise.resolve(addresses)

const never: Lookup = () => Promise.reject(new Error('a name server was asked'))

const strict = (lookup: Lookup) => makeRepositories({ allow: { http: true, ssh: true }, lookup })

/** The one address of this machine that these repositories may reach. */
const reaching = (lookup: Lookup) =>
  makeRepositories({ allow: { http: true, private_addresses: ['127.0.0.1/32'] }, lookup })

const notAllowed = { code: 'repository_not_allowed' }

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
  ['::ffff:127.0.0.1', '[::ffff:127.0.0.1]'],
  ['169.254.169.254', '169.254.169.254'],
  ['0x7f.1', '0x7f.1'],
  ['decimal', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['short', '127.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['an IPv4 address inside an IPv6 one', '[64:ff9b::7f00:1]'],
])('%s is refused, asked of nobody and never connected to', async (_, name) => {
  const { repositories, remove } = await strict(never)
  for (const protocol of ['http', 'https', 'ssh']) {
    const repo_url = `${protocol}://${name}:${secret_port}/x.git`
    await expect(repositories.check(repo_url)).rejects.toMatchObject(notAllowed)
    await expect(repositories.open(target(repo_url))).rejects.toMatchObject(notAllowed)
  }
  expect(visits).toBe(0)
  await remove()
})

test.each([
  ['a private answer', ['127.0.0.1']],
  ['mixed answers, the public one first', ['8.8.8.8', '127.0.0.1']],
  ['mixed answers, the private one first', ['127.0.0.1', '8.8.8.8']],
  ['mixed families', ['8.8.8.8', '::1']],
  ['the metadata service', ['169.254.169.254']],
])('a name with %s is refused', async (_, addresses) => {
  const { repositories, remove } = await strict(answers(...addresses))
  const repo_url = `http://git.example:${secret_port}/x.git`
  await expect(repositories.check(repo_url)).rejects.toMatchObject(notAllowed)
  await expect(repositories.open(target(repo_url))).rejects.toMatchObject(notAllowed)
  expect(visits).toBe(0)
  await remove()
})

async function remoteRepository() {
  const name = `${randomUUID()}.git`
  const remote = await makeRepository({ git_dir: join(folder, name), files: { x: 'x' } })
  return { remote, repo_url: `http://git.example:${host.port}/${name}`, name }
}

test('rebinding: the connection goes to the address that was checked, which is checked again at each fetch', async () => {
  const { remote, repo_url } = await remoteRepository()
  let now = ['127.0.0.1']
  const { repositories, remove } = await reaching(() => Promise.resolve(now))
  const project = target(repo_url)
  // The name exists nowhere: reaching the host shows that no other name server was asked.
  const repository = await repositories.open(project)
  expect(await resolveBranch(repository, 'main')).toBe(await remote.tip('main'))
  await commit(remote, 'main', { y: 'y' })
  now = ['127.0.0.2']
  const asked = host.requests.length
  await expect(repositories.open(project)).rejects.toMatchObject(notAllowed)
  await expect(repositories.check(repo_url)).rejects.toMatchObject(notAllowed)
  expect(host.requests.length).toBe(asked)
  await remove()
})

test('rebinding between the listing and the fetch of one request is refused too', async () => {
  const { repo_url } = await remoteRepository()
  let lookups = 0
  const { repositories, remove } = await reaching(() => {
    lookups += 1
    return Promise.resolve([lookups === 1 ? '127.0.0.1' : '127.0.0.2'])
  })
  await expect(repositories.open(target(repo_url))).rejects.toMatchObject(notAllowed)
  expect(lookups).toBe(2)
  expect(visits).toBe(0)
  await remove()
})

test.each([
  ['the listing', 'GET'],
  ['the fetch', 'POST'],
])('302 to a private address at %s is not followed', async (_, method) => {
  const { repo_url, name } = await remoteRepository()
  const { repositories, remove } = await reaching(answers('127.0.0.1'))
  host.answer = (request, response) => {
    if (request.method !== method) return false
    response.writeHead(302, { location: `http://127.0.0.2:${secret_port}/${name}${request.url}` }).end()
    return true
  }
  await expect(repositories.open(target(repo_url))).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  expect(visits).toBe(0)
  await remove()
})

test('a host of the dumb protocol whose alternates are on a private address leads nowhere', async () => {
  const { repo_url, name } = await remoteRepository()
  const { repositories, remove } = await reaching(answers('127.0.0.1'))
  const sha = 'a'.repeat(40)
  const files: Readonly<Record<string, string>> = {
    'info/refs': `${sha}\trefs/heads/main\n`,
    HEAD: 'ref: refs/heads/main\n',
    'objects/info/http-alternates': `http://127.0.0.2:${secret_port}/x.git/objects\n`,
  }
  const served: string[] = []
  host.answer = (request, response) => {
    const path = (request.url ?? '').replace(`/${name}/`, '').replace(/\?.*/, '')
    served.push(path)
    const text = files[path]
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text)
    return true
  }
  await expect(repositories.open(target(repo_url))).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  expect(served).toContain(`objects/${sha.slice(0, 2)}/${sha.slice(2)}`)
  expect(visits).toBe(0)
  await remove()
})
