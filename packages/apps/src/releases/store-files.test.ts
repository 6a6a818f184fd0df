import type { ObjectStore } from '@svc/objects'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { shippedOf } from '../build/archive.ts'
import { appLimits } from '../context.ts'
import { storeShipped } from './store-files.ts'

const nowhere = () => Promise.reject(new Error('Nothing of it is kept'))

test('a file beyond the bound of a release is refused by its size, before it is read', async () => {
  let read = 0
  async function* archive() {
    const made = pack()
    made.entry({ name: 'large.bin', size: appLimits.bytes + 1 })
    yield await new Promise<Uint8Array>((resolve) => {
      made.once('data', (head) => resolve(head as Uint8Array))
    })
    for (; read < appLimits.bytes; read += 65_536) yield Buffer.alloc(65_536)
  }
  const store = { objects: {} as ObjectStore, claim: nowhere }
  await expect(storeShipped(store, shippedOf(archive()), new AbortController().signal)).rejects.toThrow(
    `beyond the ${appLimits.files} files and ${appLimits.bytes} bytes of a release`,
  )
  expect(read).toBeLessThan(1024 * 1024)
})
