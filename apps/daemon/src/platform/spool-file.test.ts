import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSpoolFile } from './spool-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what was not dropped is there for the next process, a line cut short is not', () => {
  const path = join(folder, 'state', 'outbox.jsonl')
  const spool = openSpoolFile(path)
  for (const n of [1, 2, 3]) spool.append({ n })
  appendFileSync(path, '{"n":')
  expect(openSpoolFile(path).load()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

test('a file without entries is removed, and many sent ones are cut off', () => {
  const path = join(folder, 'outbox.jsonl')
  const spool = openSpoolFile(path)
  for (let n = 0; n < 1500; n += 1) spool.append({ n })
  spool.drop(1200)
  expect(openSpoolFile(path).load()).toHaveLength(300)
  spool.drop(300)
  expect(existsSync(path)).toBe(false)
})
