import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const tops = readdirSync(root).filter(
  (name) => name !== 'node_modules' && name !== '.git' && name !== '.data',
)

/** Paths that a page names: in code, from the top of the tree; in links, from the page. */
function namedPaths(text: string, page: string): string[] {
  const inCode = [...text.matchAll(/`([A-Za-z0-9_.@/-]+\/[A-Za-z0-9_.@/-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => tops.includes(path.split('/')[0] ?? ''))
  const linked = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
    path.startsWith('/') ? '' : relative(root, join(dirname(page), path)),
  )
  return [...inCode, ...linked.filter((path) => path !== '')]
}

function missing(text: string, page: string): string[] {
  return namedPaths(text, page).filter((path) => !existsSync(join(root, path)))
}

function pages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.git', '.data', '.turbo'].includes(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return pages(path)
    return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : []
  })
}

test.each(pages(root).map((page) => relative(root, page)))('every path that %s names is there', (page) => {
  expect(missing(readFileSync(join(root, page), 'utf8'), join(root, page))).toEqual([])
})

test('a path that is not there is found, in code and in a link', () => {
  const text = 'See `packages/none/src/x.ts`, `packages/db`, [here](gone.md) and [there](README.md#top).'
  expect(missing(text, join(root, 'page.md'))).toEqual(['packages/none/src/x.ts', 'gone.md'])
})

/** Tests that a page quotes after their file, and that the file does not have. */
function misquoted(text: string): string[] {
  const straight = (words: string) => words.replaceAll('’', "'").replaceAll("\\'", "'")
  return [...text.matchAll(/`([^`]+\.ts)`: “([^”]+)”/g)]
    .filter(([, file = '', name = '']) => {
      const tests = straight(readFileSync(join(root, file), 'utf8'))
      return !tests.includes(straight(name))
    })
    .map(([quote]) => quote)
}

test('each test that stands for a promise of docs/security.md is in its file', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  expect(misquoted(page)).toEqual([])
  expect(misquoted('`packages/db/tests/attempts.test.ts`: “never written”')).toHaveLength(1)
})
