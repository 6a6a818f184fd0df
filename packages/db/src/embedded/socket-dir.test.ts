import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSocketDir, socketDir } from './socket-dir.ts'

const long = `/srv/${'a-long-folder-name/'.repeat(6)}data`

test('the socket lies in the data directory when its path fits', () => {
  expect(socketDir('/srv/svc/postgres', '/tmp', 1000)).toBe('/srv/svc/postgres/run')
})

test('a long data directory gets a short folder of its own', () => {
  const folder = socketDir(long, '/tmp', 1000)
  expect(folder).toMatch(/^\/tmp\/svc-1000-[0-9a-f]{16}$/)
  expect(socketDir(`${long}2`, '/tmp', 1000)).not.toBe(folder)
  expect(socketDir(long, '/tmp', 1000)).toBe(folder)
})

test('root prefers /run, and a temp folder that is too long is passed over', () => {
  expect(socketDir(long, '/tmp', 0)).toMatch(/^\/run\/svc-0-/)
  expect(socketDir(long, long, 1000)).toMatch(/^\/tmp\/svc-1000-/)
})

test('paths are measured in bytes', () => {
  expect(socketDir(`/srv/${'é'.repeat(45)}`, '/tmp', 1000)).toMatch(/^\/tmp\//)
})

test('the folder is closed to others, and a link in its place is refused', async () => {
  const temp = await mkdtemp(join(tmpdir(), 'svc-socket-'))
  try {
    await makeSocketDir(join(temp, 'run'), undefined)
    expect((await stat(join(temp, 'run'))).mode & 0o777).toBe(0o700)
    await symlink(join(temp, 'run'), join(temp, 'link'))
    await expect(makeSocketDir(join(temp, 'link'), undefined)).rejects.toThrow('belongs to another user')
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
})
