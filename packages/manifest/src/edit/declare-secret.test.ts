import { expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { starterFiles } from '../starter.ts'
import { declareSecret } from './declare-secret.ts'
import { editManifest } from './edit-manifest.ts'

const head = 'svc_version: 2\ndefault_agent: default\nagents: { default: {} }\n'

test.each([
  ['no env', '', '\nenv:\n  optional: [HOOK]\n'],
  ['an empty list', 'env:\n  optional: [] # none\n', 'env:\n  optional: [HOOK] # none\n'],
  ['a list on a line', 'env: { optional: [A] }\n', 'env: { optional: [A, HOOK] }\n'],
  ['a list of lines', 'env:\n  optional:\n  - A # first\n', 'env:\n  optional:\n  - A # first\n  - HOOK\n'],
  ['other names alone', 'env:\n  required: [A]\n', 'env:\n  required: [A]\n  optional: [HOOK]\n'],
  ['other names on a line', 'env: { required: [A] }\n', 'env: { required: [A], optional: [HOOK] }\n'],
  ['an empty env', 'env:\n', 'env:\n  optional: [HOOK]\n'],
  ['it is optional', 'env:\n  optional: [HOOK]\n', 'env:\n  optional: [HOOK]\n'],
  ['it is required', 'env:\n  required: [HOOK]\n', 'env:\n  required: [HOOK]\n'],
  ['an env that is none', 'env: 5\n', 'env: 5\n'],
  ['a list that is none', 'env: { optional: A }\n', 'env: { optional: A }\n'],
])('with %s', (_, before, after) => {
  expect(declareSecret(head + before, 'HOOK')).toBe(head + after)
})

test('a name that reads as another kind of value is quoted, one of the platform is not declared, a file that cannot be read stays', () => {
  expect(declareSecret(head, 'NULL')).toContain('["NULL"]')
  expect(readManifest({ path: 'svc.yaml', text: declareSecret(head, 'NULL') }).issues).toEqual([])
  expect(declareSecret('a: [', 'HOOK')).toBe('a: [')
  expect(declareSecret(head, 'SVC_HOOK')).toBe(head)
})

test('the starter with a webhook is without a warning', () => {
  const trigger = { slug: 'push', type: 'webhook', prompt: 'x', secret_env: 'HOOK' }
  const text = editManifest(
    starterFiles({ name: 'shop', schema_url: 'https://svc.example.com/schema' })['svc.yaml'] ?? '',
    { kind: 'add_trigger', trigger },
  )
  const read = (one: string) => readManifest({ path: 'svc.yaml', text: one }).issues
  expect(read(text)).toHaveLength(1)
  expect(read(declareSecret(text, 'HOOK'))).toEqual([])
})
