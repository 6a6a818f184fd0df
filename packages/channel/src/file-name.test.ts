import { expect, test } from 'vitest'
import { fileNames } from './file-name.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['a b\tc.txt', 'a_b_c.txt'],
  ['Größe.txt', 'Gro_e.txt'],
  ['日本語.md', 'file.md'],
  ['日本語-1.md', '_-1.md'],
  ['日本語', 'file'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\x.doc', 'x.doc'],
  ['/absolute/', 'absolute'],
  ['.', 'file'],
  ['..', 'file'],
  ['', 'file'],
  ['...', 'file'],
  ['.git', 'git'],
  ['-rf', 'rf'],
  ['a\0b\n.sh', 'a_b_.sh'],
  ['$(touch x);`id`', '_touch_x_id_'],
  ['x'.repeat(200), 'x'.repeat(120)],
  [`${'x'.repeat(200)}.tar.gz`, `${'x'.repeat(113)}.tar.gz`],
  [`a.${'x'.repeat(200)}`, `a.${'x'.repeat(118)}`],
])('%j is %s', (name, expected) => {
  const [found = ''] = fileNames([name])
  expect(found).toBe(expected)
  expect(found).toMatch(/^[A-Za-z0-9._-]{1,120}$/)
})

test('no two files of a message have one name', () => {
  expect(fileNames(['a.txt', 'a.txt', 'A.TXT', 'a-2.txt', 'b', 'b', 'x.tar.gz', 'x.tar.gz'])).toEqual([
    'a.txt',
    'a-2.txt',
    'A-3.TXT',
    'a-2-2.txt',
    'b',
    'b-2',
    'x.tar.gz',
    'x-2.tar.gz',
  ])
  const long = 'y'.repeat(150)
  const names = fileNames([long, long, `${long}.txt`, `${long}.txt`])
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name.length).toBe(120)
})
