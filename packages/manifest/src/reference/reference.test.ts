import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, test } from 'vitest'
import { judgeAgentFile } from '../agent-files.ts'
import { judge } from '../judge.ts'
import { migrate } from '../legacy/migrate.ts'
import { agentFileJsonSchema, manifestJsonSchema } from '../schema/json-schema.ts'
import { referenceTables, withTables } from './tables.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const page = join(root, 'docs', 'manifest.md')

/** The text as the repository's formatter leaves it; `vitest --update` writes the generated parts. */
async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file })
}

describe('what is generated is what is published', () => {
  test.each([
    ['svc.v2.json', manifestJsonSchema()],
    ['agent-file.v2.json', agentFileJsonSchema()],
  ])('schemas/%s', async (name, schema) => {
    const file = join(import.meta.dirname, '..', '..', 'schemas', name)
    await expect(await formatted(file, JSON.stringify(schema))).toMatchFileSnapshot(file)
  })

  test('the tables of docs/manifest.md', async () => {
    const text = withTables(readFileSync(page, 'utf8'), referenceTables())
    await expect(await formatted(page, text)).toMatchFileSnapshot(page)
  })

  test('docs/manifest.md has every table', () => {
    const text = readFileSync(page, 'utf8')
    for (const name of Object.keys(referenceTables())) expect(text).toContain(`<!-- begin ${name} -->`)
  })
})

describe('every example of docs/manifest.md is as valid as it says', () => {
  const examples = [...readFileSync(page, 'utf8').matchAll(/```(\w+)( \w+)?\n([\s\S]*?)```/g)].map(
    ([, language = '', mark = '', text = ''], index) => ({ index, language, mark: mark.trim(), text }),
  )
  const completed = (text: string) => {
    if (text.includes('svc_version:')) return text
    const agents = /^agents:/m.test(text) ? '' : 'agents: { builder: {} }\n'
    return `svc_version: 2\ndefault_agent: builder\n${agents}${text}`
  }

  test.each(examples.filter(({ language }) => language === 'yaml'))('yaml $index $mark', ({ mark, text }) => {
    const { valid, issues } = judge({ files: { 'svc.yaml': completed(text) } })
    if (mark === 'invalid') expect(valid).toBe(false)
    else expect(issues).toEqual([])
  })

  test.each(examples.filter(({ language }) => language === 'markdown'))('agent file $index', ({ text }) => {
    expect(judgeAgentFile('a.md', text)).toEqual([])
  })

  test.each(examples.filter(({ language }) => language === 'toml'))('toml $index', ({ text }) => {
    expect(judge({ files: { 'svc.toml': text } })).toEqual({ valid: true, issues: [] })
    expect(migrate(text).issues).toEqual([])
  })

  test('there are some of each kind', () => {
    const count = (language: string) => examples.filter((one) => one.language === language).length
    expect(count('yaml')).toBeGreaterThanOrEqual(7)
    expect(Math.min(count('markdown'), count('toml'))).toBeGreaterThan(0)
  })
})
