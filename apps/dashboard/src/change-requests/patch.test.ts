import { expect, test } from 'vitest'
import { patchFiles } from './patch.ts'

const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@ first
 same
-old
--- looks like a header
+new
+++ looks like one, too
\\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/from.txt b/to here.txt
similarity index 100%
rename from from.txt
rename to to here.txt
diff --git a/p.png b/p.png
new file mode 100644
index 0..1
Binary files /dev/null and b/p.png differ
`

test('every file has its path and its lines', () => {
  const files = patchFiles(patch)
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'gone.txt', 'to here.txt', 'p.png'])
  expect(files.map(({ lines }) => lines.map(({ kind }) => kind).join(' '))).toEqual([
    'hunk context removed removed added added note',
    'hunk removed',
    'note note note',
    'note note',
  ])
  expect(files[0]?.lines[2]).toEqual({ kind: 'removed', text: '-old' })
})

test('a text that begins like a patch inside a line is none', () => {
  const [file, ...more] = patchFiles(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+diff --git a/y b/y\n',
  )
  expect(more).toEqual([])
  expect(file).toMatchObject({ path: 'x', lines: [{ kind: 'hunk' }, { kind: 'added' }] })
})

test('nothing has no files', () => {
  expect(patchFiles('')).toEqual([])
})
