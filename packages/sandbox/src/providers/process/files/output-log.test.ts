import { appendFile, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { capLog, tailOf } from './output-log.ts'

let folder: string
let log: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-log-'))
  log = join(folder, 'output.log')
})

afterEach(() => rm(folder, { recursive: true }))

describe('tailOf', () => {
  it('is empty without a log', async () => {
    expect(await tailOf(log)).toBe('')
  })

  it('is the whole of a short one and the end of a long one', async () => {
    await writeFile(log, 'short')
    expect(await tailOf(log)).toBe('short')
    await appendFile(log, 'x'.repeat(10_000))
    expect(await tailOf(log)).toBe('x'.repeat(8192))
  })
})

describe('capLog', () => {
  it('leaves a small log and a missing one alone', async () => {
    await capLog(log)
    await writeFile(log, 'small')
    await capLog(log, 10, 2)
    expect(await readFile(log, 'utf8')).toBe('small')
  })

  it('keeps the end of a large one, and writers go on behind it', async () => {
    const writer = await open(log, 'a')
    await writer.write('0123456789abc')
    await capLog(log, 10, 4)
    await writer.write('|more')
    await writer.close()
    expect(await readFile(log, 'utf8')).toBe('9abc|more')
  })
})
