import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setRecordAside } from './dated-records.ts'

const id = '8546797c-1a9a-4879-8a55-52f6f38aedba'
let home: string
let chats: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-records-'))
  chats = join(home, 'workspace', 'chats')
  mkdirSync(chats, { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true }))

test('a record loses its minute, and those of other sessions keep theirs', async () => {
  writeFileSync(join(chats, 'session-2026-03-01T10-00-8546797c.jsonl'), 'said')
  writeFileSync(join(chats, 'session-2026-03-01T10-00-bb321e0f.jsonl'), 'other')
  await setRecordAside(home, id)
  expect(readdirSync(chats)).toEqual([
    'session-2026-03-01T10-00-bb321e0f.jsonl',
    'session-kept-8546797c.jsonl',
  ])
})

test('one that is kept is never replaced by what a later opening wrote', async () => {
  writeFileSync(join(chats, 'session-kept-8546797c.jsonl'), 'said')
  writeFileSync(join(chats, 'session-2026-03-01T10-05-8546797c.jsonl'), '')
  await setRecordAside(home, id)
  expect(readFileSync(join(chats, 'session-kept-8546797c.jsonl'), 'utf8')).toBe('said')
})

test('a home without records is left alone', async () => {
  await setRecordAside(join(home, 'nothing'), id)
  expect(readdirSync(chats)).toEqual([])
})
