import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { judgeAgentFile } from '../agent-files.ts'
import type { Issue } from '../issue.ts'
import { judge } from '../judge.ts'
import { readManifest } from '../read-manifest.ts'
import { agentFileJsonSchema, manifestJsonSchema } from '../schema/json-schema.ts'
import { readFrontmatter } from '../source/frontmatter.ts'
import { readYaml } from '../source/read-yaml.ts'
import { agentFileCases } from './agent-files.ts'
import { agentCases } from './agents.ts'
import { appCases } from './apps.ts'
import type { Case } from './case.ts'
import { connectorCases } from './connectors.ts'
import { legacyCases } from './legacy.ts'
import { sandboxCases } from './sandbox.ts'
import { syntaxCases } from './syntax.ts'
import { topLevelCases } from './top-level.ts'
import { triggerCases } from './triggers.ts'

const yamlCases = {
  'top level': topLevelCases,
  agents: agentCases,
  sandbox: sandboxCases,
  connectors: connectorCases,
  apps: appCases,
  triggers: triggerCases,
  YAML: syntaxCases,
}

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
const manifestSchemaSays = ajv.compile(manifestJsonSchema())
const agentFileSchemaSays = ajv.compile(agentFileJsonSchema())

const written = (issues: readonly Issue[], file = '') =>
  issues.map(({ path, severity }) => {
    const own = path === file ? '' : path.startsWith(`${file}#`) ? path.slice(file.length + 1) : path
    return severity === 'error' ? own : `warning ${own}`
  })
const isValid = ({ issues }: Case) => issues.every((issue) => issue.startsWith('warning '))

describe.each(Object.entries(yamlCases))('svc.yaml, %s', (_, cases) => {
  test.each(cases)('$name', (one) => {
    const verdict = judge({ files: { 'svc.yaml': one.text } })
    expect(written(verdict.issues)).toEqual(one.issues)
    expect(verdict.valid).toBe(isValid(one))
  })
})

describe('agent files', () => {
  test.each(agentFileCases)('$name', (one) => {
    expect(written(judgeAgentFile('a.md', one.text), 'a.md')).toEqual(one.issues)
  })
})

describe('svc.toml', () => {
  test.each(legacyCases)('$name', (one) => {
    expect(written(readManifest({ path: 'svc.toml', text: one.text }).issues)).toEqual(one.issues)
  })
})

describe('the JSON Schema gives the same verdict on every case that it can express', () => {
  test.each(Object.values(yamlCases).flat())('$name', (one) => {
    const { data } = readYaml(one.text)
    if (data === undefined) return expect(one.beyond_schema).toBe(true)
    if (one.beyond_schema) return
    expect(manifestSchemaSays(data)).toBe(isValid(one))
  })

  test.each(agentFileCases)('frontmatter: $name', (one) => {
    const { data, findings } = readFrontmatter(one.text)
    if (findings.length === 0) expect(agentFileSchemaSays(data)).toBe(isValid(one))
  })

  test('what it cannot express is between entries or about meaning: the schema accepts it', () => {
    const beyond = Object.values(yamlCases)
      .flat()
      .filter((one) => one.beyond_schema && !syntaxCases.includes(one))
    for (const one of beyond)
      expect([one.name, manifestSchemaSays(readYaml(one.text).data)]).toEqual([one.name, true])
  })
})

test('the table has at least 250 cases, under names of their own', () => {
  const sections = [...Object.values(yamlCases), agentFileCases, legacyCases]
  expect(sections.flat().length).toBeGreaterThanOrEqual(250)
  for (const cases of sections) expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length)
})
