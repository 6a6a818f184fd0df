import { appendFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { openSpoolFile } from './spool-file.ts'

const log = createLog(() => undefined)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what was not dropped is there for the next process, a line cut short is not', () => {
  const path = join(folder, 'state', 'outbox.jsonl')
  const spool = openSpoolFile(path, log)
  for (const n of [1, 2, 3]) spool.append({ n })
  appendFileSync(path, '{"n":')
  expect(openSpoolFile(path, log).load()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

test('a file without entries is removed, and many sent ones are cut off', () => {
  const path = join(folder, 'outbox.jsonl')
  const spool = openSpoolFile(path, log)
  for (let n = 0; n < 1500; n += 1) spool.append({ n })
  spool.drop(1200)
  expect(openSpoolFile(path, log).load()).toHaveLength(300)
  spool.drop(300)
  expect(existsSync(path)).toBe(false)
})

test('a line behind one that was cut short is not lost with it', () => {
  const path = join(folder, 'outbox.jsonl')
  openSpoolFile(path, log).append({ n: 1 })
  appendFileSync(path, '{"n":')
  const next = openSpoolFile(path, log)
  next.load()
  next.append({ n: 2 })
  expect(openSpoolFile(path, log).load()).toEqual([{ n: 1 }, { n: 2 }])
})

test('what a full disk does not take is written with what comes next', () => {
  const path = join(folder, 'outbox.jsonl')
  const spool = openSpoolFile(path, log)
  spool.append({ n: 1 })
  rmSync(path)
  symlinkSync('/dev/full', path)
  spool.append({ n: 2 })
  spool.append({ n: 3 })
  expect(openSpoolFile(path, log).load()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})
