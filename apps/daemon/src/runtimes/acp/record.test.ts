import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRecord, type StoredMessage } from './record.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-record-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function stored(message_id: string, role: 'user' | 'assistant', more: Partial<StoredMessage> = {}) {
  const message = { message_id, role, at: '2026-03-01T00:00:00.000Z', text: role, tools: [], error: null }
  return { message, aborted: false, stop_reason: null, ...more }
}

test('the ids ascend over restarts, and a torn last line is dropped', () => {
  const first = openRecord(folder, 'one', 1)
  first.add(stored(first.nextId(), 'user'))
  first.add(stored(first.nextId(), 'assistant', { stop_reason: 'end_turn' }))
  const [file = ''] = readdirSync(folder)
  appendFileSync(join(folder, file), '{"message":{"mess')
  const again = openRecord(folder, 'one', 2)
  expect(again.page({ limit: 10 }).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(again.nextId() > 'msg_1_000002').toBe(true)
  expect(openRecord(folder, 'two', 3).page({ limit: 10 }).messages).toEqual([])
})

test('a turn is over with the message that holds its end', () => {
  const record = openRecord(folder, 'one', 1)
  const user = record.nextId()
  record.add(stored(user, 'user'))
  record.add(stored(record.nextId(), 'assistant'))
  expect(record.turnAfter(user).answered).toBe(false)
  record.add(stored(record.nextId(), 'assistant', { stop_reason: 'max_tokens' }))
  expect(record.turnAfter(user)).toEqual({
    answered: true,
    aborted: false,
    error: null,
    stop_reason: 'max_tokens',
  })
  expect(record.turnAfter('msg_1_000003').answered).toBe(false)
})

test('pages go backwards', () => {
  const record = openRecord(folder, 'one', 1)
  for (let n = 0; n < 5; n += 1) record.add(stored(record.nextId(), 'user'))
  const last = record.page({ limit: 2 })
  expect(last.messages.map(({ message_id }) => message_id)).toEqual(['msg_1_000004', 'msg_1_000005'])
  expect(last.next_before).toBe('msg_1_000004')
  expect(record.page({ limit: 10, before: 'msg_1_000004' })).toMatchObject({ next_before: null })
})
