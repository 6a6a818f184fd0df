import { sharedNetwork } from '../providers/process/describe-host.ts'
import { expect, test } from 'vitest'
import { openMetricsProblem } from './closed-metrics.ts'

const provider = (...not_isolated: string[]) => ({
  describe: () => ({ name: 'process', isolated: [], not_isolated }),
})

test('where sandboxes reach the ports of the machine, its metrics need a token', () => {
  const open = provider('no sandboxing', sharedNetwork)
  expect(openMetricsProblem(open, undefined)).toContain(
    'SVC_METRICS_TOKEN: is needed with the provider process',
  )
  expect(openMetricsProblem(open, 'a-long-metrics-token')).toBeNull()
  expect(openMetricsProblem(provider('disk'), undefined)).toBeNull()
})
