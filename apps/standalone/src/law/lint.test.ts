import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const folder = mkdtempSync(join(tmpdir(), 'svc-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const setting = "export const port = process.env['SVC_PORT']\n"
const query = "export const all = (db: { selectFrom(table: string): unknown }) => db.selectFrom('t')\n"
const statement =
  'declare const sql: (text: TemplateStringsArray) => string\nexport const all = sql`select 1`\n'

const refused: [name: string, file: string, text: string, message: RegExp][] = [
  ['a query in a verb', 'packages/services/src/verb.ts', query, /Queries stand in packages\/db/],
  ['a query in an app', 'apps/scheduler/src/verb.ts', query, /Queries stand in packages\/db/],
  ['a statement in an app', 'apps/scheduler/src/statement.ts', statement, /Queries stand in packages\/db/],
  [
    'a setting read where it is used',
    'packages/services/src/port.ts',
    setting,
    /Settings are read in env\.ts/,
  ],
  ['a default export', 'packages/services/src/default.ts', 'export default 1\n', /Prefer named exports/],
  [
    'a doc comment that begins with a question',
    'packages/services/src/question.ts',
    '/**\n * How long a session waits.\n */\nexport const waitMs = 1\n',
    /Begin the comment with the thing, not with “How”/,
  ],
]
const passing: [name: string, file: string, text: string][] = [
  ['settings are read in main.ts', 'apps/scheduler/src/main.ts', setting],
  ['a test makes its rows', 'packages/services/src/verb.test.ts', query],
  [
    'a doc comment that begins with the thing',
    'packages/services/src/thing.ts',
    '/** However long a session waits. */\nexport const waitMs = 1\n',
  ],
]

const findings: { readonly filename: string; readonly message: string; readonly help?: string }[] = []

/** The tree's own configuration on files of a folder of their own, without the rules that need types. */
beforeAll(() => {
  for (const part of ['.oxlintrc.json', 'scripts/lint'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const [, file, text] of [...refused, ...passing]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const oxlint = join(root, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(oxlint, ['--format', 'json'], { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: typeof findings }
  findings.push(...diagnostics)
})

const messagesOn = (file: string) =>
  findings.filter(({ filename }) => filename === file).map(({ message, help = '' }) => `${message}: ${help}`)

test.each(refused)('%s is refused', (_, file, __, message) => {
  expect(messagesOn(file).join('\n')).toMatch(message)
})

test.each(passing)('%s', (_, file) => {
  expect(messagesOn(file)).toEqual([])
})
