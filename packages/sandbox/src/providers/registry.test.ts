import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { providerNames } from '../provider-names.ts'
import { providerModules, providerSettings } from './registry.ts'

const here = import.meta.dirname
const folders = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

test.each(folders)('%s imports no other provider', (folder) => {
  const others = folders.filter((name) => name !== folder).join('|')
  for (const file of readdirSync(join(here, folder), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(join(here, folder, file), 'utf8')
    expect(text, file).not.toMatch(new RegExp(`from '(\\.\\./)+(providers/)?(${others})/`))
  }
})

test('no two providers answer to one name or read one variable', () => {
  const names = providerModules.flatMap((module) => module.names)
  expect(new Set(names).size).toBe(names.length)
  expect(['auto', ...names]).toEqual(providerNames)
  const variables = providerModules.flatMap(({ settings }) => Object.keys(settings))
  expect(new Set(variables).size).toBe(variables.length)
})

test('each variable says what it is for', () => {
  for (const [name, schema] of Object.entries(providerSettings))
    expect(z.globalRegistry.get(schema)?.description, name).toMatch(/\w/)
})

test('the page of sandboxes has each name and each variable', () => {
  const page = readFileSync(join(here, '../../../../docs/sandboxes.md'), 'utf8')
  const [, choice = ''] = /^## Choosing a provider$([^]*?)^## /m.exec(page) ?? []
  const listed = [...choice.matchAll(/^\| `(\S+)`/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(providerNames.toSorted())
  for (const variable of Object.keys(providerSettings)) expect(page).toContain(`\`${variable}\``)
})

test('no folder holds more than a reader can survey', () => {
  const src = join(here, '..')
  const inner = readdirSync(src, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { parentPath, name } of inner)
    expect(readdirSync(join(parentPath, name)).length, name).toBeLessThanOrEqual(25)
})
