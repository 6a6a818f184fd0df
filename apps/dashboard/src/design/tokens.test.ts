import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (name) => ['.css', '.tsx', '.ts'].includes(extname(name)) && !name.endsWith('.test.ts'),
)

function linesWith(found: RegExp, except: readonly string[] = []): string[] {
  return files
    .filter((name) => !except.includes(name))
    .flatMap((name) =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (found.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [])),
    )
}

test('colours have their names in the tokens, and stand nowhere else', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(linesWith(/#[0-9a-f]{3}(?:[0-9a-f]{1,5})?\b(?!["'`]?\s*\))/i)).toEqual([])
  expect(linesWith(/\b(?:oklch|rgba?|hsla?)\(/, ['design/tokens.css'])).toEqual([])
})

test('text has the sizes of the tokens', () => {
  expect(linesWith(/font-size:\s*[\d.]+(?:px|rem)|\btext-\[\d/)).toEqual([])
})

test('no element carries a style of its own', () => {
  expect(linesWith(/\bstyle=\{|dangerouslySetInnerHTML/)).toEqual([])
})
