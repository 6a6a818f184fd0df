import { sharedNetwork } from '@svc/sandbox/providers'
import { expect, test } from 'vitest'
import { requireClosedMetrics } from './require-closed-metrics.ts'

const provider = (...not_isolated: string[]) => ({
  describe: () => ({ name: 'process', isolated: [], not_isolated }),
})

test('where sandboxes reach the ports of the machine, its metrics need a token', () => {
  const open = provider('no sandboxing', sharedNetwork)
  expect(() => requireClosedMetrics(open, undefined)).toThrow(
    'SVC_METRICS_TOKEN: is needed with the provider process',
  )
  expect(() => requireClosedMetrics(open, 'a-long-metrics-token')).not.toThrow()
  expect(() => requireClosedMetrics(provider('disk'), undefined)).not.toThrow()
})
