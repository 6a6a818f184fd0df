import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorityText } from '../src/network/authority.ts'
import type { Egress } from '../src/network/egress.ts'
import { openOutside, type Outside } from './egress-outside.ts'
import { type OpenPath, paths } from './egress-paths.ts'
import { openTargets, settings, targets } from './egress-table.ts'

let outside: Outside

beforeAll(async () => {
  outside = await openOutside()
})

afterAll(() => outside.close())

async function reached(open: OpenPath, egress: Egress): Promise<readonly string[]> {
  const path = await open(outside.folder, { ...egress, connect: outside.connect })
  try {
    const found: string[] = []
    for (const target of targets) if (await path.reaches(target)) found.push(authorityText(target))
    return found
  } finally {
    await path.close()
  }
}

describe.each(Object.entries(settings))('egress %s', (_, egress) => {
  test.each(Object.entries(paths))('%s lets through what the rule does', async (_name, open) => {
    expect(await reached(open, egress)).toEqual(await openTargets(egress))
  })
})

/** The word for a provider's sandboxes in the names of the paths. */
const words = { docker: 'container', kubernetes: 'pod', memory: 'memory', process: 'process' }

test('each provider is judged', () => {
  const folders = readdirSync(join(import.meta.dirname, '../src/providers'), { withFileTypes: true })
  const names = folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  expect(Object.keys(words).toSorted()).toEqual(names.toSorted())
  for (const word of Object.values(words)) expect(Object.keys(paths).join('\n')).toContain(word)
})

test('the table has what is let through and what is not', async () => {
  const { open, platform } = settings
  if (open === undefined || platform === undefined) throw new Error('settings')
  const found = await openTargets(open)
  expect(found).toContain('8.8.8.8:5432')
  expect(found).not.toContain('203.0.113.1:443')
  expect(await openTargets(platform)).toEqual([])
})
