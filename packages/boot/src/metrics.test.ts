import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('renders own figures beside those of the process, labelled with the service', async () => {
  const metrics = createMetrics('merge-worker')
  metrics.counter('svc_merges_total', 'Merges by outcome.', ['outcome']).inc({ outcome: 'merged' }, 2)
  metrics.gauge('svc_jobs_running', 'Jobs that run now.', [], () => 3)
  metrics.histogram('svc_merge_seconds', 'Time of a merge.').observe(0.02)
  const text = await metrics.render()
  expect(text).toContain('svc_merges_total{outcome="merged",service="merge-worker"} 2')
  expect(text).toContain('svc_jobs_running{service="merge-worker"} 3')
  expect(text).toContain('svc_merge_seconds_bucket{le="0.025",service="merge-worker"} 1')
  expect(text).toContain('process_cpu_seconds_total')
})

test('two deployables in one process do not meet', async () => {
  const [one, other] = [createMetrics('a'), createMetrics('b')]
  one.counter('svc_things_total', 'Things.').inc()
  other.counter('svc_things_total', 'Things.').inc(5)
  expect(await one.render()).toContain('svc_things_total{service="a"} 1')
  expect(await other.render()).toContain('svc_things_total{service="b"} 5')
})
