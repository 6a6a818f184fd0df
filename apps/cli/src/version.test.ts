import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { version } from './version.ts'

it('is the version of the package', async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ version })
})
