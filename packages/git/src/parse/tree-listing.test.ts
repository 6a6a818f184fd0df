import { expect, test } from 'vitest'
import { parseTreeListing } from './tree-listing.ts'

const sha = 'a'.repeat(40)

test('every kind of entry', () => {
  const output = Buffer.from(
    `100644 blob ${sha}      12\ta\tb\nc\0` +
      `040000 tree ${sha}       -\tsub\0` +
      `120000 blob ${sha}       3\tlink\0` +
      `160000 commit ${sha}       -\tmodule\0`,
  )
  expect(parseTreeListing(output, 'dir')).toEqual([
    { path: 'dir/a\tb\nc', name: 'a\tb\nc', type: 'file', mode: '100644', sha, size: 12 },
    { path: 'dir/sub', name: 'sub', type: 'directory', mode: '040000', sha, size: null },
    { path: 'dir/link', name: 'link', type: 'symlink', mode: '120000', sha, size: 3 },
    { path: 'dir/module', name: 'module', type: 'submodule', mode: '160000', sha, size: null },
  ])
})

test('an empty folder and the root', () => {
  expect(parseTreeListing(Buffer.alloc(0), '')).toEqual([])
  const [entry] = parseTreeListing(Buffer.from(`100755 blob ${sha} 1\tx/y\0`), '')
  expect(entry).toMatchObject({ path: 'x/y', name: 'y', type: 'file' })
})
