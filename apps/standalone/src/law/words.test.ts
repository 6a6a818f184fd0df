import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** Words of our own for which the field has one. A name is read word by word, so that `most` is not found in `almost`. */
const ours: readonly (readonly [word: RegExp, standard: string])[] = [
  [/^(tell|tells|told|hear|hears|heard)$/, 'notify, emit, report, on'],
  [/^(patience|patient|patiently|impatient)$/, 'timeout, retrying'],
  [/^(most|longest [a-z].*)$/, 'max'],
  [/^usual$/, 'default'],
  [/^(hurry|hurried|hurrying)$/, 'force'],
  [/^(gathered|gathering)$/, 'batched'],
  [/^(rehearse|rehearsal|lend)$/, 'prewarm, fixture'],
  [/^(shop|workshop)$/, 'context'],
  [/^blueprint$/, 'podSpec'],
  [/^born$/, 'initial'],
  [/^spoilt$/, 'unusable'],
  [/^doing$/, 'operation'],
  [/^intakes?$/, 'webhook batcher'],
  [/^(came|nobody|somebody|whoever)$/, 'the noun'],
  [/^last words$/, 'exit report, log tail'],
  [/^(words|marks|maker) of$/, 'messageOf, metadataOf, providerOf'],
  [/^(covers|speaks for)$/, 'owns, members'],
  [
    /^(wake inside|open fire|tell step|bound waits)$/,
    'wakeInTransaction, startFire, traceStep, lock timeouts',
  ],
]

/** Words for a person or program of which the reader can know which one it is. */
const vague = /\b(nobody|somebody|whoever|no[ -]one|someone|anybody|anyone|everybody|everyone)\b/i

/** Lines that may hold a vague word, each for its reason. */
const allowed: readonly (readonly [file: string, line: RegExp, reason: string])[] = [
  ['packages/db/src/embedded/owner.ts', /name === 'nobody'/, 'the user of Unix'],
  [
    'packages/sandbox/src/providers/process/bubblewrap/system-layout.ts',
    /'nobody:x:65534/,
    'the user of Unix',
  ],
  ['packages/sandbox/src/providers/process/user-ids.ts', /the user `nobody`/, 'the user of Unix'],
]

const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bat[ _]most\b/, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

const judged = new Map<string, string | undefined>()

/** The standard word for a name of ours; undefined where the name is standard already. */
function standardFor(name: string): string | undefined {
  if (judged.has(name)) return judged.get(name)
  const words = wordsIn(name)
  const readings = words.flatMap((word, index) => [word, words.slice(index, index + 2).join(' ')])
  const standard = ours.find(([word]) => readings.some((reading) => word.test(reading)))?.[1]
  judged.set(name, standard)
  return standard
}

/** Names that a file declares, with the line of each. */
function declaredIn(file: string, text: string): [name: string, line: number][] {
  if (!(text.match(/[\w$]+/g) ?? []).some(standardFor)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names: [string, number][] = []
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node)
    if (
      isName &&
      'name' in node.parent &&
      node.parent.name === node &&
      !ts.isPropertyAccessExpression(node.parent)
    )
      names.push([node.text, source.getLineAndCharacterOfPosition(node.getStart()).line + 1])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

function foundIn(file: string, text: string): string[] {
  const names = declaredIn(file, text).flatMap(([name, line]) => {
    const standard = standardFor(name)
    return standard === undefined ? [] : [`${file}:${line} ${name}: ${standard}`]
  })
  const lines = text.split('\n').flatMap((line, index) => {
    const word = vague.exec(line)?.[0]
    const isAllowed = allowed.some(([path, pattern]) => path === file && pattern.test(line))
    return word === undefined || isAllowed
      ? []
      : [`${file}:${index + 1} ${word}: caller, worker, client, person`]
  })
  return [...names, ...lines]
}

const files = ['apps', 'packages']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => !/\.test\.|\/(tests|testing|cases|node_modules|dist|migrations)\//.test(file))

test('the sources use the field’s words', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.flatMap((file) => foundIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test.each([
  ['const told = 1', 1],
  ['const tellOwner = () => 1', 1],
  ['interface Run { most: number }', 1],
  ['class Reader { #patience = 1 }', 1],
  ['const longestName = 1', 1],
  ['function wordsOf() {}', 1],
  ['const { heard } = run', 1],
  ['// Nobody asks for it.', 1],
  ["throw new Error('someone else has it')", 1],
  ['const longest = 1', 0],
  ['const atMostOne = almost(intl.hear)', 0],
  ['// The caller asks for it.', 0],
])('%j holds %i', (text, count) => {
  expect(foundIn('packages/services/src/planted.ts', text)).toHaveLength(count)
})

test('each exception is still there', () => {
  for (const [file, line] of allowed) expect(readFileSync(join(root, file), 'utf8')).toMatch(line)
})
