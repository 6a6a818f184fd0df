import { describe, expect, test } from 'vitest'
import { error, placeFindings } from './issue.ts'
import { judge } from './judge.ts'
import { manifestLimits } from './limits.ts'
import { readManifest } from './read-manifest.ts'
import { nearest } from './suggest.ts'

/** A verdict is quick because its work is bounded by count; these tests count. */
describe('work is bounded whatever the file holds', () => {
  test('only issues that are listed are worded', () => {
    let worded = 0
    const findings = Array.from({ length: 20_000 }, (_, index) =>
      error(['apps', index], () => {
        worded++
        return `issue ${index}`
      }),
    )
    expect(placeFindings(findings, () => undefined)).toHaveLength(manifestLimits.issues + 1)
    expect(worded).toBe(manifestLimits.issues)
  })

  test('a name is compared with a bounded number of names', () => {
    let looked = 0
    const names = {
      *[Symbol.iterator]() {
        for (let index = 0; index < 100_000; index++) {
          looked++
          yield `agent-${String(index).padStart(6, '0')}`
        }
      },
    }
    nearest('agent-zzzzzz', names)
    expect(looked).toBeLessThan(1000)
  })

  test('so are triggers with an error', () => {
    const entries = '- { slug: A, type: x }\n'.repeat(2000)
    const { trigger_errors, issues } = readManifest({
      path: 'svc.yaml',
      text: `svc_version: 2\ndefault_agent: a\nagents: { a: {} }\ntriggers:\n${entries}`,
    })
    expect(issues).toHaveLength(manifestLimits.issues + 1)
    expect(trigger_errors).toHaveLength(manifestLimits.issues)
  })

  test('TOML with more entries than any manifest has is refused before it is parsed', () => {
    const { issues } = readManifest({ path: 'svc.toml', text: 'a.'.repeat(manifestLimits.toml_marks + 2) })
    expect(issues).toEqual([expect.objectContaining({ message: expect.stringContaining('TOML entries') })])
  })

  test('the agents’ files are bounded together', () => {
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`)
    const text = `svc_version: 2\ndefault_agent: a0\nagents: { ${names.map((name) => `${name}: {}`).join(', ')} }\n`
    const keys = Array.from({ length: 1000 }, (_, index) => `k${index}: 1\n`).join('')
    const agents = Object.fromEntries(
      names.map((name) => [`.svc/agentrt/agents/${name}.md`, `---\n${keys}---\n`]),
    )
    const { valid, issues } = judge({ files: { 'svc.yaml': text, agents } })
    expect(valid).toBe(false)
    expect(issues).toEqual([expect.objectContaining({ message: expect.stringContaining('YAML tokens') })])
  })
})
