import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openReadySocket } from '../../front/ready-socket.ts'
import { anyExternalId } from '../../shared/external-id.ts'
import { dockerPaths, requireShortRoot } from './paths.ts'

/** Of this length in all, below a folder that is there. */
const rootOf = (folder: string, length: number) => join(folder, 'x'.repeat(length - folder.length - 1))

it('refuses a folder in which the sockets of visitors have no room, and says by how much', () => {
  expect(() => requireShortRoot(rootOf('/srv', 57))).not.toThrow()
  expect(() => requireShortRoot(rootOf('/srv', 58))).toThrow('1 characters too long')
})

it('takes none for too short: two proxies keep their sockets in the longest one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const root = rootOf(folder, 57)
  requireShortRoot(root)
  const { fronts } = dockerPaths(root, anyExternalId)
  await mkdir(fronts, { recursive: true })
  const opened = [await openReadySocket(fronts), await openReadySocket(fronts)]
  onTestFinished(async () => void (await Promise.all(opened.map((one) => one.close()))))
  expect(await readdir(fronts)).toHaveLength(2)
})
