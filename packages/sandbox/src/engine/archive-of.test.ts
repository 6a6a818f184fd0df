import { setTimeout as sleep } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { expect, it } from 'vitest'
import type { BuildFile } from '../provider.ts'
import { archiveOf } from './archive-of.ts'

const MiB = 1024 * 1024

it('reads no further ahead than what was taken', async () => {
  let read = 0
  async function* files(): AsyncGenerator<BuildFile> {
    for (; read < 64; read += 1) yield { path: `${read}`, executable: false, content: Buffer.alloc(MiB) }
  }
  let taken = 0
  let ahead = 0
  for await (const chunk of archiveOf(files())) {
    taken += chunk.length
    await sleep(1)
    ahead = Math.max(ahead, read * MiB - taken)
  }
  expect([read, taken > 64 * MiB]).toEqual([64, true])
  expect(ahead).toBeLessThan(4 * MiB)
})

it('holds each file with its mode', async () => {
  async function* files(): AsyncGenerator<BuildFile> {
    yield { path: 'run.sh', executable: true, content: Buffer.from('one') }
    yield { path: 'sub/empty', executable: false, content: Buffer.alloc(0) }
  }
  const reader = extract()
  archiveOf(files()).pipe(reader)
  const found: unknown[] = []
  for await (const entry of reader) {
    found.push([entry.header.name, entry.header.mode, String(await buffer(entry))])
  }
  expect(found).toEqual([
    ['run.sh', 0o755, 'one'],
    ['sub/empty', 0o644, ''],
  ])
})

it('fails as the reading of a file does', async () => {
  // eslint-disable-next-line require-yield
  async function* files(): AsyncGenerator<BuildFile> {
    throw new Error('no such blob')
  }
  await expect(buffer(archiveOf(files()))).rejects.toThrow('no such blob')
})
