import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataDir } from './data-dir.ts'

const log = createLogger({ name: 'test', level: 'silent' })
const wanted = process.getuid?.() === 0 ? 0o711 : 0o700
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

let above: string
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'svc-data-'))
  await chmod(above, 0o755)
})
afterEach(() => rm(above, { recursive: true }))

test('a data directory can be listed by its own user alone, also below a strict umask', async () => {
  const before = process.umask(0o077)
  try {
    const { sandboxes } = await openDataDir(join(above, 'new/data'), log)
    expect(sandboxes).toBe(join(above, 'new/data/sandboxes'))
  } finally {
    process.umask(before)
  }
  expect(await modeOf(join(above, 'new'))).toBe(wanted)
  expect(await modeOf(join(above, 'new/data'))).toBe(wanted)
})

test('one of an earlier release is tightened', async () => {
  const root = join(above, 'data')
  await mkdir(root, { mode: 0o755 })
  for (const name of ['master.key', 'master.key.old', 'svc.log.1']) await writeFile(join(root, name), '')
  await openDataDir(root, log)
  expect(await modeOf(root)).toBe(wanted)
})

test('a folder that holds other things keeps its mode', async () => {
  await writeFile(join(above, 'a-file'), '')
  await openDataDir(above, log)
  expect(await modeOf(above)).toBe(0o755)
})
