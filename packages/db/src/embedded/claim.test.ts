import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claim } from './claim.ts'

let data_dir: string
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'svc-claim-'))
})
afterEach(() => rmSync(data_dir, { recursive: true, force: true }))

test('one process owns a data directory until it releases it', () => {
  const release = claim(data_dir)
  expect(() => claim(data_dir)).toThrow(`in use by the running process ${process.pid}`)
  release()
  expect(readdirSync(data_dir)).toEqual([])
  claim(data_dir)()
})

test('a living other process keeps its claim, a dead one does not', async () => {
  const other = spawn('sleep', ['600'])
  await once(other, 'spawn')
  claim(data_dir, other.pid)
  expect(() => claim(data_dir)).toThrow(`in use by the running process ${other.pid}`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  claim(data_dir)
  expect(readdirSync(data_dir)).toEqual(['owner'])
})

test.each(['', 'nonsense', `${process.pid} 12345`])(
  'a claim of nobody who lives (%j) is taken over',
  (text) => {
    writeFileSync(join(data_dir, 'owner'), text)
    claim(data_dir)
    expect(() => claim(data_dir)).toThrow('in use')
  },
)
