import { expect, test } from 'vitest'
import { treeOf } from './file-tree.ts'

test('folders come first, and a chain of them is one line', () => {
  const tree = treeOf(['readme.md', 'src/a/b/one.ts', 'src/a/b/two.ts', 'docs/x.md'])
  expect(tree).toEqual([
    { name: 'docs', path: null, children: [{ name: 'x.md', path: 'docs/x.md', children: [] }] },
    {
      name: 'src/a/b',
      path: null,
      children: [
        { name: 'one.ts', path: 'src/a/b/one.ts', children: [] },
        { name: 'two.ts', path: 'src/a/b/two.ts', children: [] },
      ],
    },
    { name: 'readme.md', path: 'readme.md', children: [] },
  ])
})
