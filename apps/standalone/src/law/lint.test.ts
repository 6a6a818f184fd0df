import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** The tree's own configuration, without the rules that need types: those would read the whole tree. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  ruleFilter: ({ ruleId }) => ruleId.startsWith('no-restricted-') || ruleId.startsWith('svc/'),
})

/** The messages of the linter on `text` as the content of the file. */
async function messagesOn(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) })
  return (result?.messages ?? []).map((message) => message.message)
}

const query =
  "export const all = (db: Record<string, (table: string) => unknown>) => db['x'] ?? db.selectFrom('t')\n"

test.each([
  ['a query in a verb', 'packages/services/src/context.ts', query, /Queries stand in packages\/db/],
  ['a query in an app', 'apps/scheduler/src/main.ts', query, /Queries stand in packages\/db/],
  [
    'a setting read where it is used',
    'packages/services/src/context.ts',
    "export const port = process.env['SVC_PORT']\n",
    /Settings are read in env\.ts/,
  ],
  ['a default export', 'packages/services/src/context.ts', 'export default 1\n', /Named exports only/],
  [
    'a doc comment that begins with a question',
    'packages/services/src/context.ts',
    '/**\n * How long a session waits.\n */\nexport const waitMs = 1\n',
    /Begin the comment with the thing, not with “How”/,
  ],
])(
  '%s is refused',
  async (_, file, text, message) => {
    expect((await messagesOn(file, text)).join('\n')).toMatch(message)
  },
  120_000,
)

test('settings are read in main.ts', async () => {
  const text = "export const port = process.env['SVC_PORT']\n"
  expect(await messagesOn('apps/scheduler/src/main.ts', text)).toEqual([])
})

test('a doc comment that begins with the thing passes', async () => {
  const text = '/** However long a session waits. */\nexport const waitMs = 1\n'
  expect(await messagesOn('packages/services/src/context.ts', text)).toEqual([])
})
