import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { services } from './metric-family.ts'
import { metricsCatalogue } from './metrics-catalogue.ts'

test('renders own figures beside those of the process, labelled with the service', async () => {
  const metrics = createMetrics('merge-worker')
  metrics.count('svc_claims_taken_over_total', { work: 'merge' }, 2)
  metrics.observe('svc_merge_duration_seconds', { outcome: 'merged' }, 0.02)
  metrics.beforeRender(() => metrics.set('svc_disk_free_bytes', { folder: 'repositories' }, 3))
  metrics.beforeRender(() => {
    throw new Error('a figure that cannot be had')
  })
  const text = await metrics.render()
  expect(text).toContain('svc_claims_taken_over_total{work="merge",service="merge-worker"} 2')
  expect(text).toContain('svc_disk_free_bytes{folder="repositories",service="merge-worker"} 3')
  expect(text).toMatch(/svc_merge_duration_seconds_bucket\{le="0.05",.*outcome="merged"\} 1/)
  expect(text).toContain('process_cpu_seconds_total')
})

test('two services in one process do not meet', async () => {
  const [one, other] = [createMetrics('api'), createMetrics('scheduler')]
  one.count('svc_events_total', {})
  other.count('svc_events_total', {}, 5)
  expect(await one.render()).toContain('svc_events_total{service="api"} 1')
  expect(await other.render()).toContain('svc_events_total{service="scheduler"} 5')
})

test('a replaced family holds what was named last, and no older series', async () => {
  const metrics = createMetrics('scheduler')
  metrics.replace('svc_sessions', [{ labels: { status: 'provisioning' }, value: 2 }])
  metrics.replace('svc_sessions', [{ labels: { status: 'running' }, value: 1 }])
  const text = await metrics.render()
  expect(text).toContain('svc_sessions{status="running",service="scheduler"} 1')
  expect(text).not.toContain('status="provisioning"')
})

test.each([...services, 'standalone'])('%s exposes each of its families from the start', async (service) => {
  const text = await createMetrics(service).render()
  for (const { name, type, owners, help } of metricsCatalogue) {
    const isOwn = service === 'standalone' || owners.some((owner) => owner === service)
    expect(text.includes(`# TYPE ${name} ${type}\n`), name).toBe(isOwn)
    expect(text.includes(`# HELP ${name} ${help}\n`), name).toBe(isOwn)
  }
})

test('each family is named by the rules of Prometheus, and its labels hold no id, path or person', () => {
  const known =
    'version commit schema method route status kind queue state job outcome work provider category type model pool sweep store folder op mode code repair harness stop_reason platform class'
  for (const { name, type, labels, help, question, owners, buckets, values = {} } of metricsCatalogue) {
    expect(name).toMatch(/^svc_[a-z]+(_[a-z]+)*$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(buckets !== undefined, name).toBe(type === 'histogram')
    expect(known.split(' '), name).toEqual(expect.arrayContaining([...labels]))
    expect(labels, name).toEqual(expect.arrayContaining(Object.keys(values)))
    expect(help, name).toMatch(/^[A-Z0-9].*\.$/)
    expect(question, name).toMatch(/\?$/)
    expect(owners.length, name).toBeGreaterThan(0)
  }
})
