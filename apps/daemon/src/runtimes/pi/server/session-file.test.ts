import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionManager } from '@earendil-works/pi-coding-agent'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSessionFile, openSessionFile } from './session-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pi-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const say = (manager: SessionManager, content: string) =>
  manager.appendMessage({ role: 'user', content, timestamp: 1 })
const said = (manager: SessionManager | null) =>
  manager?.getBranch().flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))

test('what is said after a line that a crash cut short is not lost with it', () => {
  const first = createSessionFile(folder, folder)
  const id = first.getSessionId()
  say(first, 'one')
  appendFileSync(join(folder, `${id}.jsonl`), '{"type":"mess')
  const next = openSessionFile(folder, folder, id)
  if (next) say(next, 'two')
  expect(said(openSessionFile(folder, folder, id))).toMatchObject([{ content: 'one' }, { content: 'two' }])
})
