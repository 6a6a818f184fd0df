import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

interface DryRun {
  readonly tasks: readonly { readonly directory: string; readonly inputs: Readonly<Record<string, string>> }[]
}

test('set-up looks at the files that the builder reads, and at no others', async () => {
  const { buildInputs } = (await import(join(root, 'scripts/build-inputs.mjs'))) as {
    buildInputs: (root: string) => string[]
  }
  const dry: DryRun = JSON.parse(
    execFileSync(join(root, 'node_modules/.bin/turbo'), ['run', 'build', '--dry=json'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const built = dry.tasks.flatMap(({ directory, inputs }) =>
    Object.keys(inputs).map((file) => relative(root, join(root, directory, file))),
  )
  const wanted = new Set(built.filter((file) => !file.includes('.test.') && !file.endsWith('turbo.json')))
  expect(buildInputs(root)).toEqual([...wanted].sort())
})
