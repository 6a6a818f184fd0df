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

test('one process owns a data directory until it releases it', async () => {
  const claimed = await claim(data_dir)
  await expect(claim(data_dir)).rejects.toThrow(`${data_dir} is in use by the running process ${process.pid}`)
  await claimed.release()
  expect(readdirSync(data_dir)).toEqual([])
  await (await claim(data_dir)).release()
})

test.each(['', 'nonsense', `${process.pid} 12345`])(
  'a claim whose process is gone (%j) is taken over',
  async (text) => {
    writeFileSync(join(data_dir, 'owner'), text)
    await claim(data_dir)
    await expect(claim(data_dir)).rejects.toThrow('in use')
  },
)
