import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { manifestNotes, notRunYet } from './not-run-yet.ts'
import { referenceTables } from './reference/tables.ts'
import { starterFiles } from './starter.ts'

const everything = `svc_version: 2
default_agent: a
agents:
  a: { connectors: [docs], connectors_required: [docs], svc_cli: [project.read, project.agent.write, project.skill.read] }
project: { name: Shop, description: A shop }
connectors:
  - { slug: docs, provider: mcp, url: 'https://docs.example.test', policies: [{ match: '*', action: block }] }
apps: { site: { type: static }, shop: { type: static, build_command: make }, api: { type: bundle } }
checks: { any: thing }
`

test('each block that nothing runs yet has a note, and no issue', () => {
  const files = { 'svc.yaml': everything }
  expect(manifestNotes(files).map(({ path }) => path)).toEqual([
    'project.name',
    'project.description',
    'checks',
    'agents.a.svc_cli',
  ])
  expect(judge({ files })).toEqual({ valid: true, issues: [] })
  expect(manifestNotes(files).at(-1)?.message).toBe(
    'nothing asks for these yet, so that granting them changes nothing: `project.agent.write` and `project.skill.read`',
  )
})

test('what is run has none: a new project, empty blocks, a file that is no manifest', () => {
  expect(manifestNotes(starterFiles({ name: 'Shop' }))).toEqual([])
  for (const text of ['connectors: []\napps: {}\nproject: {}\n', 'a: [', '- x', ''])
    expect(manifestNotes({ 'svc.yaml': text })).toEqual([])
  expect(manifestNotes({})).toEqual([])
})

test('svc.toml has the same notes', () => {
  expect(
    manifestNotes({ 'svc.toml': "[[agents]]\nname = 'a'\nsvc_cli = ['project.agent.write']\n" }),
  ).toEqual([
    {
      path: 'agents.a.svc_cli',
      message: 'nothing asks for `project.agent.write` yet: granting it changes nothing',
    },
  ])
})

test('the reference says it at each block', () => {
  const tables = referenceTables()
  for (const { section, message } of notRunYet) expect(tables[section]).toContain(`Not run yet: ${message}.`)
  expect(tables['capabilities']).toContain('Not run yet: ')
})
