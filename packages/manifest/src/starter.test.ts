import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { starterFiles } from './starter.ts'

const names = [
  'Shop',
  'a: b',
  '"quoted"',
  '# hash',
  '',
  "it's",
  '[x]',
  'two\nlines',
  '日本',
  '- dash',
  '*',
  'null',
  '1',
]

test.each(names)('a new project named %j is valid without a warning', (name) => {
  const files = starterFiles({ name, schema_url: 'https://svc.example.test/v1/schemas/manifest.json' })
  const { 'svc.yaml': yaml, 'README.md': readme, ...agents } = files
  expect(judge({ files: { 'svc.yaml': yaml, agents } })).toEqual({ valid: true, issues: [] })
  expect(Object.keys(agents)).toEqual(['.svc/agentrt/agents/default.md'])
  expect(readme?.split('\n')[0]).toBe(`# ${name.replaceAll('\n', ' ')}`)
})

test('editors find the schema in the first line', () => {
  const yaml = starterFiles({ name: 'Shop', schema_url: 'https://svc.example.test/s.json' })['svc.yaml']
  expect(yaml?.split('\n')[0]).toBe('# yaml-language-server: $schema=https://svc.example.test/s.json')
  expect(starterFiles({ name: 'Shop' })['svc.yaml']).toMatch(/^svc_version: 2\n/)
})
