import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import * as contract from '@svc/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { oauthPaths } from '../../src/oauth/paths.ts'
import { breakingChanges } from './breaking-changes.ts'
import { type DocumentedOperation, documentedOperations, OpenApiDocument } from '../support/openapi.ts'
import { openWorld } from '../support/world.ts'

const { platform } = await openWorld()
let text: string
let document: OpenApiDocument
let operations: DocumentedOperation[]

beforeAll(async () => {
  text = (await platform.call('https://svc.test/v1/openapi.json')).text
  document = OpenApiDocument.parse(JSON.parse(text))
  operations = documentedOperations(document)
})

/** SVC_LONG_TESTS=1 lets Spectral judge the examples as well; below they are judged in a fraction of its time. */
const rules = process.env.SVC_LONG_TESTS === '1' ? {} : { 'oas3-valid-media-example': 'off' as const }

test('Spectral finds nothing', async () => {
  const linter = new spectral.Spectral()
  // The two packages type a rule set differently.
  linter.setRuleset({ extends: [[Object(oas), 'recommended']], rules })
  const found = await linter.run(JSON.parse(text))
  expect(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
})

/** A path is as the API has it since its first day; the service answers before authentication. */
const knownWarnings = [
  /^no-ambiguous-paths /,
  /^operation-4xx-response #\/paths\/~1v1~1health\/get\/responses/,
  /^operation-2xx-response #\/paths\/~1v1~1oauth~1authorize\/get\/responses/,
  /^operation-2xx-response #\/paths\/~1v1~1auth~1sso~1\{provider\}\/get\/responses/,
  /^operation-2xx-response #\/paths\/~1v1~1connectors~1oauth~1callback\/get\/responses/,
]

test('Redocly finds no error, and no warning that nobody knows of', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
  const found = problems.map(({ ruleId, location, message, severity }) => ({
    severity,
    told: `${ruleId} ${location[0]?.pointer ?? ''} ${message}`,
  }))
  const unknown = found.filter(
    ({ severity, told }) => severity === 'error' || !knownWarnings.some((known) => known.test(told)),
  )
  expect(unknown).toEqual([])
})

test('every operation of the contract is there, told in full', () => {
  const wanted = [
    ...contract.operations.map(({ method, path, name }) => `${method} ${path} ${name}`),
    ...contract.oauthProtocol.map(
      ({ method, path, operationId }) => `${method.toUpperCase()} ${path} ${operationId}`,
    ),
  ]
  expect(
    operations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort(),
  ).toEqual(wanted.sort())
  const documented = document.tags.map(({ name }) => name)
  for (const { operationId, summary, description, tags, parameters, responses } of operations) {
    expect(summary, operationId).not.toBe('')
    expect(description, operationId).not.toBe('')
    expect(tags, operationId).toHaveLength(1)
    expect(documented, operationId).toEqual(expect.arrayContaining(tags))
    const undescribed = parameters.filter((parameter) => !parameter.description).map(({ name }) => name)
    expect(undescribed, operationId).toEqual([])
    for (const [status, response] of Object.entries(responses))
      expect(response.description, `${operationId} ${status}`).not.toBe('')
  }
})

test('every body has an example, and its schema allows it', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(Object(JSON.parse(text)), 'document')
  formats.default(ajv)
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (schema: unknown) => {
    const key = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const known = compiled.get(key) ?? ajv.compile(JSON.parse(key))
    compiled.set(key, known)
    return known
  }
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [['request', requestBody] as const, ...Object.entries(responses)]
    for (const [name, body] of bodies) {
      for (const [type, { schema, example }] of Object.entries(body?.content ?? {})) {
        const subject = `${operationId} ${name} ${type}: ${JSON.stringify(example)}`
        expect(example, subject).toBeDefined()
        const allows = validatorOf(schema)
        expect(allows(example), `${subject}\n${ajv.errorsText(allows.errors)}`).toBe(true)
      }
    }
  }
})

test('every path of the authorization server is in the reference', () => {
  const documented = new Set(operations.map(({ path }) => path))
  // Pages that the server leads a browser to, which no program opens by itself.
  const between = [oauthPaths.interaction, oauthPaths.end_session]
  expect(Object.values(oauthPaths).filter((path) => !documented.has(path))).toEqual(between)
})

test('each operation names the kinds of credentials that its access rule lets in', () => {
  const kinds = new Set(Object.keys(document.components.securitySchemes))
  expect([...kinds].sort()).toEqual(Object.keys(contract.credentialKinds).sort())
  for (const { operationId, security } of operations) {
    const standard = contract.oauthProtocol.find((route) => route.operationId === operationId)
    const rule =
      standard === undefined
        ? contract.operations.find(({ name }) => name === operationId)?.access
        : contract.accessRule(standard)
    if (rule === null || rule === undefined) throw new Error(`${operationId} states no access rule`)
    const named = (security ?? []).flatMap((requirement) => Object.keys(requirement))
    expect(security, operationId).toHaveLength(named.length)
    expect(named, operationId).toEqual(contract.credentialsFor(rule))
  }
})

/** Answered by the API and no part of the reference: the paths for operators and browsers, and other protocols. */
const undocumented = [
  /^GET \/$/,
  /^GET \/(healthz|readyz)$/,
  /^GET \/\.well-known\//,
  /^GET \/v1\/(docs|openapi\.json|schemas)/,
  /^GET \/v1\/auth\/link$/,
  /^(GET|POST|DELETE) \/v1\/(executor\/)?mcp$/,
  / \/v1\/admin\//,
  / \/scim\/v2\//,
]

test('what operators ask for is left out, and nothing else', () => {
  const documented = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  const served = platform.api.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`)
  const left = [...new Set(served)].filter((route) => !documented.has(route))
  expect(left).toContain('GET /readyz')
  expect(left.filter((route) => !undocumented.some((pattern) => pattern.test(route)))).toEqual([])
  const shown = [...documented].filter((route) => undocumented.some((pattern) => pattern.test(route)))
  expect(shown).toEqual([])
})

/** The documents of the releases, as scripts/keep-openapi.mjs keeps them. */
const releases = join(import.meta.dirname, '../../../../docs/openapi')

function lastRelease(): string {
  const numbers = (name: string) => (name.match(/\d+/g) ?? []).map(Number)
  const newestFirst = readdirSync(releases).sort((a, b) => {
    const [left, right] = [numbers(a), numbers(b)]
    const at = left.findIndex((number, index) => number !== right[index])
    return (right[at] ?? 0) - (left[at] ?? 0)
  })
  return join(releases, newestFirst[0] ?? 'none')
}

/** A field of a body that no document named is refused to its sender, where it was dropped without a word. */
const refusesStrangers = / request: additionalProperties is narrower$/

/** `acme//great` was taken as a default, and is no model: no manifest may name it, and no session runs it. */
const refusesNoModel = / request\.default_model: pattern is narrower$/

const meant = [refusesStrangers, refusesNoModel]

test('nothing breaks a caller of the last release', () => {
  const before = OpenApiDocument.parse(JSON.parse(readFileSync(lastRelease(), 'utf8')))
  expect(documentedOperations(before).length).toBeGreaterThan(100)
  expect(
    breakingChanges(before, document).filter((one) => !meant.some((change) => change.test(one))),
  ).toEqual([])
})
