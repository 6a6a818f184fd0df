import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderCheck } from './folder-check.ts'

test('a folder is ready while it is there, can be written and has room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ready-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await expect(folderCheck(folder, 0)()).resolves.toBeUndefined()
  await expect(folderCheck(folder, 2 ** 60)()).rejects.toThrow('are needed')
  await rm(folder, { recursive: true })
  await expect(folderCheck(folder, 0)()).rejects.toThrow('ENOENT')
})
