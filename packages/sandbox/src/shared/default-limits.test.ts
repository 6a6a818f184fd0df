import { expect, test } from 'vitest'
import { z } from 'zod'
import { defaultLimits, limitSettings } from './default-limits.ts'

const read = (env: object) => z.object(limitSettings).safeParse(env)
const gibibyte = 1024 ** 3

test('a sandbox gets half of the machine’s memory, and never too little to start', () => {
  expect(defaultLimits(undefined, 16 * gibibyte)).toEqual({ memory_mb: 8_192, pids: 4_096, disk_mb: 20_480 })
  expect(defaultLimits(undefined, gibibyte)).toMatchObject({ memory_mb: 1_024 })
})

test('an operator says how much', () => {
  const env = {
    SVC_SANDBOX_CPU: '1.5',
    SVC_SANDBOX_MEMORY_MB: '2048',
    SVC_SANDBOX_DISK_MB: '1024',
    SVC_SANDBOX_PIDS: '512',
  }
  const limits = { cpu: 1.5, memory_mb: 2_048, disk_mb: 1_024, pids: 512 }
  expect(defaultLimits(read(env).data, 16 * gibibyte)).toEqual(limits)
})

test.each([
  { SVC_SANDBOX_CPU: '0' },
  { SVC_SANDBOX_MEMORY_MB: '1' },
  { SVC_SANDBOX_DISK_MB: 'much' },
  { SVC_SANDBOX_PIDS: '1.5' },
])('%j is refused', (env) => expect(read(env).success).toBe(false))
