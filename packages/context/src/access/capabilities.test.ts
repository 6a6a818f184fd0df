import { capabilities } from '@svc/facts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idleCapabilities } from '@svc/manifest'
import { expect, test } from 'vitest'

test('a capability guards something, or the manifest notes that it does not', () => {
  const root = join(import.meta.dirname, '../../../..')
  const sources = [
    'packages/context/src',
    'packages/services/src',
    'packages/apps/src',
    'packages/connectors/src',
    'packages/identity/src',
    'packages/spend/src',
    'packages/connectors/src',
    'apps/api/src',
    'apps/gateway/src',
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
  const asked = (name: string) => sources.some((text) => text.includes(`'${name}'`))
  const synonyms = ['project.cr.open', 'project.cr.merge']
  const idle = capabilities.filter((name) => !synonyms.includes(name) && !asked(name))
  expect(idle).toEqual([...idleCapabilities])
})
