import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const page = readFileSync(join(root, 'docs/extending.md'), 'utf8')

/** The sources whose words the page may use. */
const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.json'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^(apps|packages|bench|scripts)\//.test(file) && existsSync(join(root, file)))
  // A word of this file would prove itself.
  .filter((file) => !file.endsWith('law/extending.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
const words = new Set(sources.flatMap((text) => text.match(/[A-Za-z_][\w]*/g) ?? []))

/** The names of the page that the tree has not. */
function unknown(text: string): string[] {
  const commands = [...text.matchAll(/^ *(npx .*)$/gm)].map(([, command = '']) => command)
  const spans = [...text.replaceAll(/```[^]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
  return [
    ...commands.flatMap((command) =>
      command.split(/\s+/).filter((word) => word.includes('/') && !isThere(word)),
    ),
    ...commands.filter((command) => !/^npx (vitest run|tsc|knip)\b/.test(command)),
    ...spans.filter((span) => span.includes('/') && !span.startsWith('@svc/') && !isThere(span)),
    ...spans.filter((span) => span.startsWith('@svc/') && !isPackage(span)),
    ...spans.filter((span) => /^[A-Za-z_]\w*$/.test(span) && !words.has(span)),
  ]
}

/** A path from the top of the tree; of one with a `<placeholder>` the folder before it. */
function isThere(path: string): boolean {
  const known = path.includes('<') ? dirname(path.slice(0, path.indexOf('<')) + 'x') : path
  return existsSync(join(root, known))
}

function isPackage(name: string): boolean {
  const [, folder = '', part] = name.split('/')
  const file = join(root, 'packages', folder, 'package.json')
  if (!existsSync(file)) return false
  const { exports }: { readonly exports: unknown } = JSON.parse(readFileSync(file, 'utf8'))
  return part === undefined || Object.keys(Object(exports)).includes(`./${part}`)
}

test('each path, command and word that the page of extending names is there', () => {
  expect(unknown(page)).toEqual([])
})

test('each step can be tried', () => {
  for (const section of page.split(/^## /m).slice(1)) expect(section).toContain('npx vitest run')
})

test.each([
  ['`packages/db/src/nowhere.ts`', 1],
  ['`packages/nowhere/<noun>.ts`', 1],
  ['`packages/db/src/<noun>/<table>.ts`', 0],
  ['`createNowhereElse` and `createRuntimeBase`', 1],
  ['`@svc/nowhere` and `@svc/sandbox/testing`', 1],
  ['```sh\nnpx vitest run packages/nowhere packages/db\n```', 1],
  ['```sh\nnpx nothing\n```', 1],
])('%j has %i that is not there', (text, count) => expect(unknown(text)).toHaveLength(count))
