import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type AuditContent, auditText, brokenLink } from './audit-chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const content: AuditContent = {
  event_id: 'e',
  at: new Date('2026-03-01T10:00:00Z'),
  account_id: 'a',
  project_id: 'p',
  session_id: null,
  actor: { type: 'user', id: 'u', on_behalf_of: null },
  action: 'createToken',
  target: 'token/t',
  outcome: 'success',
  request_id: 'r',
  ip: '192.0.2.1',
  details: { b: 1, a: ['x', { d: null, c: true }] },
}
const link = (before: { seq: number; hash: string } | null, event: AuditContent) => {
  const prev_hash = before?.hash ?? ''
  return { ...event, seq: (before?.seq ?? 0) + 1, prev_hash, hash: sha256(prev_hash + auditText(event)) }
}

test('the text does not depend on the order of keys', () => {
  const details = { a: ['x', { c: true, d: null }], b: 1 }
  expect(auditText({ ...content, details })).toBe(auditText(content))
})

test('a chain holds, and each change of it is found', () => {
  const first = link(null, content)
  const second = link(first, { ...content, event_id: 'f' })
  expect(brokenLink(null, first, sha256)).toBe(null)
  expect(brokenLink(first, second, sha256)).toBe(null)
  expect(brokenLink(null, second, sha256)).toBe('gap')
  expect(brokenLink({ ...first, hash: 'x' }, second, sha256)).toBe('prev_hash')
  const changes: readonly Partial<AuditContent>[] = [
    { event_id: 'x' },
    { at: new Date(0) },
    { account_id: 'x' },
    { project_id: null },
    { session_id: 'x' },
    { actor: { ...content.actor, type: 'service' } },
    { actor: { ...content.actor, id: 'x' } },
    { actor: { ...content.actor, on_behalf_of: 'x' } },
    { action: 'x' },
    { target: 'x' },
    { outcome: 'denied' },
    { request_id: null },
    { ip: null },
    { details: {} },
  ]
  for (const change of changes) expect(brokenLink(first, { ...second, ...change }, sha256)).toBe('hash')
})
