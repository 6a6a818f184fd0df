import { expect, test } from 'vitest'
import { isConnectionLoss } from './shared-pool.ts'

const coded = (code: string) => Object.assign(new Error('m'), { code })

test.each(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', '57P01', '57P03', '08006', '53300'])(
  '%s is a lost connection',
  (code) => {
    expect(isConnectionLoss(coded(code))).toBe(true)
  },
)

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  '%s is one too',
  (text) => {
    expect(isConnectionLoss(new Error(text))).toBe(true)
  },
)

test.each([coded('42P01'), coded('BM001'), new Error('syntax error'), 'ECONNREFUSED', undefined])(
  '%s is none',
  (error) => {
    expect(isConnectionLoss(error)).toBe(false)
  },
)
