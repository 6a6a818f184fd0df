import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolderStore } from '@svc/objects'
import { describeObjectStore, openTestStore } from '@svc/objects/testing'

describeObjectStore('a folder', async () => {
  const { folder, remove } = await openTestStore()
  const store = await openFolderStore(join(folder, 'objects'))
  return {
    store,
    makeUnusable: () => rm(join(folder, 'objects'), { recursive: true }),
    close: remove,
  }
})

test('what a crash left half written is no object, and an emptied folder goes', async () => {
  const { store, folder, remove } = await openTestStore()
  await store.put('a/b/c', Buffer.from('x'))
  await writeFile(join(folder, 'a/b/d.1b4e28ba-2fa1-4d9b-883f-0016d3cca427.draft'), 'half')
  const keys: string[] = []
  for await (const { key } of store.list('')) keys.push(key)
  expect(keys).toEqual(['a/b/c'])
  await rm(join(folder, 'a/b/d.1b4e28ba-2fa1-4d9b-883f-0016d3cca427.draft'))
  await store.delete('a/b/c')
  expect(await readdir(folder)).toEqual([])
  await remove()
})
