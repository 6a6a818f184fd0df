import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkPackage, Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageSdk } from '../packaging/package-sdk.ts'

let folder: string
let files: { name: string; data: Buffer }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'))
  const out = join(folder, 'node_modules/@svc/sdk')
  await packageSdk(out)
  files = await Promise.all(
    (await readdir(out)).map(async (name) => ({ name, data: await readFile(join(out, name)) })),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('publint has nothing to say', async () => {
  const manifest = JSON.parse(String(files.find(({ name }) => name === 'package.json')?.data))
  const pack = { files: files.map(({ name, data }) => ({ name: `package/${name}`, data })) }
  const { messages } = await publint({ pkgDir: 'package', pack, strict: true })
  expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([])
})

test('its types are right for every way to import it', async () => {
  const named = files.map(
    ({ name, data }) => [`/node_modules/@svc/sdk/${name}`, new Uint8Array(data)] as const,
  )
  const result = await checkPackage(new Package(Object.fromEntries(named), '@svc/sdk', '0.1.0'))
  expect(result.types).not.toBe(false)
  expect('problems' in result ? result.problems : 'no types').toEqual([])
})

test('it runs by import and by require, and needs nothing else', async () => {
  const entry = join(folder, 'node_modules/@svc/sdk')
  const loaded: object[] = [
    await import(pathToFileURL(join(entry, 'index.js')).href),
    createRequire(join(folder, 'x.cjs'))('@svc/sdk'),
  ]
  for (const sdk of loaded) {
    expect(Object.keys(sdk).sort()).toEqual([
      ...[
        'ApiError',
        'ConnectionError',
        'EventVerificationError',
        'createClient',
        'isApiError',
        'isPreviewPort',
      ],
      'verifyEvent',
    ])
  }
  const admin: object[] = [
    await import(pathToFileURL(join(entry, 'admin.js')).href),
    createRequire(join(folder, 'x.cjs'))('@svc/sdk/admin'),
  ]
  for (const sdk of admin)
    expect(Object.keys(sdk).sort()).toEqual([
      'ApiError',
      'ConnectionError',
      'createAdminClient',
      'isApiError',
    ])
  const text = files.map(({ data }) => String(data)).join('\n')
  expect(text).not.toMatch(/(from|require\() ?['"](?!\.)/)
})

/** A caller that takes every type as far as it goes; the lines with `wrong` must not compile. */
const caller = `
import { createClient, isApiError, type Session, type ErrorCode } from '@svc/sdk'
const client = createClient({ api_url: 'http://127.0.0.1:1', debug: (event) => console.log(event.kind) })
const session: Session = await client.projects.sessions.create('p', { initial_prompt: 'x' }, { idempotency_key: 'k' })
const status: 'running' extends typeof session.status ? true : false = true
for await (const cr of client.projects.changeRequests.list('p', { status: 'open' })) console.log(cr.number.toFixed())
for await (const event of client.projects.sessions.stream('p', session.session_id)) console.log(event.seq, event.type)
try {
  await client.projects.changeRequests.merge('p', '1')
} catch (error) {
  if (isApiError(error, 'MERGE_CONFLICT')) console.log(error.details.conflicts.map((path) => path.length), error.retry_after)
}
const code: ErrorCode = 'CR_NOT_OPEN'
console.log(status, code)
// @ts-expect-error wrong: there is no such status
client.projects.changeRequests.list('p', { status: 'gone' })
// @ts-expect-error wrong: a number is no name
client.projects.provision({ name: 3 })
// @ts-expect-error wrong: there is no such code
isApiError(null, 'NO_SUCH_CODE')
`

/** The examples of the guide, as the one program that they are. */
async function examples(): Promise<string> {
  const guide = await readFile(new URL('../../../docs/sdk.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  expect(blocks.length).toBeGreaterThan(4)
  return `declare const process: { env: Record<string, string | undefined> }\n${blocks.join('\n')}`
}

test('strict callers compile against it, its libraries checked as well: the guide, and one that is wrong', async () => {
  const callers = { 'caller.mts': caller, 'guide.mts': await examples() }
  for (const [name, text] of Object.entries(callers)) await writeFile(join(folder, name), text)
  const roots = Object.keys(callers).map((name) => join(folder, name))
  const program = ts.createProgram(roots, {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
  })
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder))
  expect(own.length).toBeGreaterThan(2)
  const found = own.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ])
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})
