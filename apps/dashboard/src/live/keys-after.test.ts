import { expect, test } from 'vitest'
import { keysAfter } from './keys-after.ts'

const changed = (kind: string) => ({ type: 'changed', kind, project_id: 'p', id: 'x' }) as const

test('what changed is read again where it is shown, and no other project with it', () => {
  expect(keysAfter(changed('permission'))).toEqual([['inbox'], ['sessions', 'p']])
  expect(keysAfter(changed('change_request'))).toContainEqual(['change-request', 'p'])
  expect(keysAfter(changed('project'))).toContainEqual(['projects'])
  expect(keysAfter(changed('connection'))).toEqual([['inbox'], ['connectors', 'p'], ['connector', 'p']])
})

test('a notification is the person’s own', () => {
  const told = { type: 'changed', kind: 'notification', project_id: null, id: 'u' } as const
  expect(keysAfter(told)).toEqual([['notifications']])
  expect(keysAfter({ ...told, kind: 'weather' })).toEqual([])
})

test('a kind of a newer platform may be something that waits', () => {
  expect(keysAfter(changed('weather'))).toEqual([['inbox']])
})

test('after a gap all that is live is read again, but not what a reviewer reads', () => {
  expect(keysAfter({ type: 'hello' })).toContainEqual(['change-request'])
  expect(keysAfter({ type: 'hello' }).flat()).not.toContain('change-request-shown')
})
