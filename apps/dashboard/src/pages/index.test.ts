import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexText } from './index-text.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const route = join(here, name, 'route.tsx')
    return {
      noun: name,
      files: readdirSync(join(here, name)),
      route: existsSync(route) ? readFileSync(route, 'utf8') : '',
    }
  })
  .sort((a, b) => (a.noun < b.noun ? -1 : 1))

test('the index holds every folder of pages', () => {
  const text = indexText(folders)
  const file = join(here, 'index.ts')
  if (process.env['SVC_WRITE_PAGES'] === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each(folders)('$noun has a route that loads its pages when they are opened', ({ files, route }) => {
  expect(files).toContain('route.tsx')
  expect(route).toContain('lazyPage(')
})
