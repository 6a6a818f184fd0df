import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { metricsToken } from './metrics-token.ts'

test('the token of the metrics is made once, for the user of the platform alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-metrics-'))
  const path = join(folder, 'metrics-token')
  const token = await metricsToken(path)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(await metricsToken(path)).toBe(token)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, '\n')
  await expect(metricsToken(path)).rejects.toThrow('remove it')
  await rm(folder, { recursive: true })
})
