import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commit, testGit } from '@svc/git/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const pace = { window_ms: 1_000, min_bytes: 5_000 }
const { platform, api, newProject } = await openWorld({ git_limits: { pace, max_push_bytes: 200_000 } })
let folder: string
let project_id: string
let git_dir: string
let main: string
let large: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-slow-'))
  project_id = await newProject()
  const { repositories } = platform.parts
  git_dir = (await repositories.open({ kind: 'managed', project_id })).git_dir
  main = await testGit(['rev-parse', 'main'], { git_dir })
  // More than the buffers of a connection hold.
  large = await commit({ git_dir }, 'large', { 'large.bin': randomBytes(24_000_000) }, 'Large', {
    orphan: true,
  })
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const url = () => `${api.origin}/v1/git/${project_id}.git`
const bearer = () => `Authorization: Bearer ${platform.owner.token}`
const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text

/** Begins a request by hand, to go on as slowly as it likes. */
async function begin(
  service: 'git-upload-pack' | 'git-receive-pack',
  authorization = bearer(),
): Promise<Socket> {
  const socket = createConnection(api.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  const type = `Content-Type: application/x-${service}-request`
  const head = [`POST /v1/git/${project_id}.git/${service} HTTP/1.1`, 'Host: x', authorization, type]
  socket.write([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
  return socket
}

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const branches = async () =>
  (await testGit(['for-each-ref', '--format=%(refname:short)'], { git_dir })).split('\n')

async function running(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args'])
  return stdout.split('\n').filter((each) => each.includes(git_dir) && !each.startsWith('Z'))
}

/** The log lines of the requests that did not end well. */
const dropped = (service: string) =>
  platform.lines.filter((each) => each.includes(service) && /"status":408|"aborted":true/.test(each)).length

/** The service lets go at once; the connection follows, also of those who go on sending. */
async function expectDropped(service: string, count: number, sockets: readonly Socket[]): Promise<void> {
  await expect.poll(() => dropped(service)).toBe(count)
  await expect.poll(running).toEqual([])
  await expect.poll(() => sockets.every((socket) => socket.closed)).toBe(true)
}

/** Everything the server said. */
function reading(socket: Socket): Buffer[] {
  const said: Buffer[] = []
  socket.on('data', (bytes: Buffer) => said.push(bytes))
  return said
}

test('a client that begins a push and sends nothing more is dropped, and leaves no child process', async () => {
  const count = dropped('git-receive-pack')
  const socket = await begin('git-receive-pack')
  const said = reading(socket)
  await expectDropped('git-receive-pack', count + 1, [])
  await expect
    .poll(() => Buffer.concat(said).toString())
    .toMatch(/^HTTP\/1\.1 408 [^]*The request came too slowly/)
})

test('a client that sends a byte now and then is dropped, and leaves no child process', async () => {
  const count = dropped('git-receive-pack')
  const socket = await begin('git-receive-pack')
  const said = reading(socket)
  const body = line(`${'0'.repeat(40)} ${main} refs/heads/slow\0 report-status\n`).repeat(1_000)
  let sent = 0
  const drip = setInterval(() => {
    if (!socket.destroyed) socket.write(chunk(body[sent++] ?? '0'))
  }, 20)
  await expectDropped('git-receive-pack', count + 1, [socket])
  clearInterval(drip)
  expect(sent).toBeGreaterThan(1)
  expect(Buffer.concat(said).toString()).toMatch(/^HTTP\/1\.1 408 /)
  expect(await branches()).toEqual(['large', 'main'])
})

test('a client that asks for a pack and never reads is dropped, and leaves no child process', async () => {
  const count = dropped('git-upload-pack')
  const socket = await begin('git-upload-pack')
  socket.pause()
  socket.write(`${chunk(`${line(`want ${large}\n`)}0000${line('done\n')}`)}0\r\n\r\n`)
  await expectDropped('git-upload-pack', count + 1, [])
  socket.destroy()
})

test('a body that drips on after its refusal does not keep the connection', async () => {
  const socket = await begin('git-receive-pack', 'Authorization: Bearer nonsense')
  const said = reading(socket)
  const drip = setInterval(() => {
    if (!socket.destroyed) socket.write(chunk('0'))
  }, 20)
  await expect.poll(() => socket.closed).toBe(true)
  clearInterval(drip)
  expect(Buffer.concat(said).toString()).toMatch(/^HTTP\/1\.1 401 /)
})

test("slow clients are in nobody's way", async () => {
  const count = dropped('git-receive-pack')
  const sockets = await Promise.all(Array.from({ length: 20 }, () => begin('git-receive-pack')))
  for (const socket of sockets) reading(socket)
  const path = join(folder, randomUUID())
  await testGit(['-c', `http.extraHeader=${bearer()}`, 'clone', '--quiet', '--single-branch', url(), path])
  expect(await testGit(['-C', path, 'rev-parse', 'main'])).toBe(main)
  await expectDropped('git-receive-pack', count + 20, sockets)
})

test('a pack over the size limit is refused with its reason, and nothing of it stays', async () => {
  const path = join(folder, randomUUID())
  await testGit(['init', '--quiet', '--initial-branch=big', path])
  await writeFile(join(path, 'big.bin'), randomBytes(400_000))
  await testGit(['-C', path, 'add', '--all'])
  await testGit(['-C', path, 'commit', '--quiet', '-m', 'Big'])
  const push = testGit(['-C', path, '-c', `http.extraHeader=${bearer()}`, 'push', url(), 'big'])
  await expect(push).rejects.toThrow('pack exceeds maximum allowed size')
  expect(await branches()).toEqual(['large', 'main'])
  await expect.poll(running).toEqual([])
})
