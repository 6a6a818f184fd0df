import { describe, expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { fixture } from '../testing/fixtures.ts'
import { migrate } from './migrate.ts'

describe('version 1 becomes version 2', () => {
  const { text, issues } = migrate(fixture('legacy', 'full.toml'))
  const reading = readManifest({ path: 'svc.yaml', text: text ?? '' })
  const before = readManifest({ path: 'svc.toml', text: fixture('legacy', 'full.toml') })

  test('the new file is valid', () => {
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([])
    expect(reading.manifest?.svc_version).toBe(2)
  })

  test('the triggers are the same', () => {
    expect(reading.triggers).toEqual(before.triggers)
  })

  test('each agent keeps what it had, and the silence of version 1 is written out', () => {
    const kept = before.manifest?.agents ?? []
    expect(reading.manifest?.agents).toEqual(expect.arrayContaining([...kept]))
    expect(text).toContain('secrets: all')
  })

  test('an agent that only a trigger names is declared', () => {
    expect(reading.manifest?.agents.map((agent) => agent.name)).toEqual(['builder', 'anyone', 'reviewer'])
  })

  test('aliases, behaviour and removed tables are gone, other tables stay', () => {
    expect(text).not.toMatch(/prompt_template|agent_name|schedule|model:|sandboxes|opencode:/)
    expect(text).toContain('anything:\n  goes: true')
    expect(text).toContain('agentrt:\n  config_dir: .opencode')
  })
})

test('an empty svc.toml becomes the smallest manifest', () => {
  const { text } = migrate('')
  expect(readManifest({ path: 'svc.yaml', text: text ?? '' })).toMatchObject({
    issues: [],
    manifest: { default_agent: 'default', agents: [{ name: 'default', connectors: 'all' }] },
  })
})

test('what a person has to decide is an issue of the new file', () => {
  expect(migrate('[[triggers]]\nslug = "a"\n').issues.map((issue) => issue.path)).toContain(
    'triggers[0].type',
  )
})

test('an unreadable svc.toml has no new text', () => {
  expect(migrate('a = ')).toMatchObject({ text: null, issues: [{ line: 1 }] })
})
