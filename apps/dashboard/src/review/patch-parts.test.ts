import type { DiffFile } from '@svc/sdk'
import { expect, test } from 'vitest'
import { patchParts } from './patch-parts.ts'

const file = (path: string, rest: Partial<DiffFile> = {}): DiffFile => ({
  path,
  old_path: null,
  status: 'modified',
  additions: 1,
  deletions: 0,
  binary: false,
  ...rest,
})

const edited = `diff --git a/src/a b.ts b/src/a b.ts
index 1..2 100644
--- a/src/a b.ts
+++ b/src/a b.ts
@@ -1 +1,2 @@
 one
+diff --git is a line of it
`
const renamed = `diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
`
const removed = `diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
`
const image = `diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
`

test('each file has its own part, whatever the order', () => {
  const files = [
    file('logo.png', { binary: true }),
    file('new.ts', { old_path: 'old.ts', status: 'renamed' }),
    file('gone.txt', { status: 'deleted' }),
    file('src/a b.ts'),
  ]
  const parts = patchParts(files, edited + renamed + removed + image)
  expect(parts.map(({ patch }) => patch)).toEqual([image, renamed, removed, edited])
})

test('a file that the patch was cut before has none', () => {
  expect(patchParts([file('src/a b.ts'), file('z.ts')], edited)[1]).toEqual({
    file: file('z.ts'),
    patch: null,
  })
})
