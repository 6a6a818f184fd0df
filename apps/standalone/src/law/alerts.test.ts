import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMetrics, metricsCatalogue } from '@svc/boot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
})
const rules = Rules.parse(parse(read('infra/prometheus/alerts.yaml'))).groups.flatMap((group) => group.rules)

const Dashboard = z.object({
  title: z.string(),
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
})
const dashboards = readdirSync(join(root, 'infra/grafana')).map((file) => ({
  file,
  ...Dashboard.parse(JSON.parse(read(`infra/grafana/${file}`))),
}))
const drawn = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
)

const series = new Set(
  metricsCatalogue.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
)
const seriesOf = (expr: string) => expr.match(/\bsvc_[a-z_]+/g) ?? []

test('there are twelve alerts and five dashboards', () => {
  expect(rules).toHaveLength(12)
  expect(dashboards.map(({ file }) => file)).toEqual(
    ['git', 'models', 'overview', 'sessions', 'storage'].map((name) => `${name}.json`),
  )
})

test('alerts and dashboards name series of the catalogue alone, and each family is drawn', () => {
  const named = [...rules.map(({ expr }) => expr), ...drawn].flatMap(seriesOf)
  expect(named.filter((name) => !series.has(name))).toEqual([])
  const written = read('docs/operations.md').match(/\bsvc_[a-z_]+/g) ?? []
  const families = metricsCatalogue.map(({ name }) => name)
  expect(written.filter((name) => !series.has(name) && !families.includes(name))).toEqual([])
  const text = [...named, ...written].join(' ')
  expect(families.filter((name) => !text.includes(name))).toEqual([])
})

test('each alert says what is wrong, and leads to its section of docs/operations.md', () => {
  const sections = new Set(
    [...read('docs/operations.md').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase()),
  )
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\.$/)
    expect(annotations.runbook_url, alert).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    expect(sections.has(alert.toLowerCase()), alert).toBe(true)
  }
})

test('the stack of compose asks each service at its address, and mounts what is there', () => {
  const Stack = z.object({
    services: z.record(
      z.string(),
      z.looseObject({
        environment: z.record(z.string(), z.unknown()).optional(),
        volumes: z.array(z.string()).optional(),
      }),
    ),
  })
  const { services } = Stack.parse(parse(read('infra/compose/compose.yaml'), { merge: true }))
  const asked = read('infra/compose/observability/prometheus.yaml').matchAll(/'(\S+):7701'\] # (\S+)/g)
  const addresses = Object.fromEntries([...asked].map(([, address, service]) => [service, address]))
  const own = Object.entries(services).flatMap(([name, { environment }]) =>
    environment?.['SVC_INTERNAL_HOST'] === undefined ? [] : [[name, environment['SVC_INTERNAL_HOST']]],
  )
  expect(addresses).toEqual(Object.fromEntries(own))
  const mounted = ['prometheus', 'grafana'].flatMap((name) => services[name]?.volumes ?? [])
  const files = mounted.filter((volume) => volume.startsWith('.')).map((volume) => volume.split(':')[0] ?? '')
  expect(files.length).toBe(5)
  expect(files.filter((file) => !existsSync(join(root, 'infra/compose', file)))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool && process.env['CI']) throw new Error('CI needs promtool for these tests')
if (!hasPromtool) console.warn('Skipped: promtool is not installed')

describe.skipIf(!hasPromtool)('by promtool', () => {
  const promtool = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: join(root, 'infra/prometheus'),
      input,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  }

  test('the rules are rules, and each is raised and quiet as it should be', () => {
    promtool(['check', 'rules', 'alerts.yaml'])
    promtool(['test', 'rules', 'alerts.test.yaml'])
    const tried = read('infra/prometheus/alerts.test.yaml')
    for (const { alert } of rules)
      expect(tried.split(`alertname="${alert}"`).length, alert).toBeGreaterThanOrEqual(3)
  })

  test('the settings of compose are settings', () => {
    promtool(['check', 'config', '--syntax-only', '../compose/observability/prometheus.yaml'])
  })

  test('each expression of a dashboard can be parsed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-promtool-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const recorded = drawn.map((expr, n) => ({ record: `drawn:${n}`, expr }))
    // JSON is YAML.
    writeFileSync(
      join(folder, 'drawn.yaml'),
      JSON.stringify({ groups: [{ name: 'drawn', rules: recorded }] }),
    )
    promtool(['check', 'rules', join(folder, 'drawn.yaml')])
  })

  test('the families are as Prometheus wants them', async () => {
    const text = await createMetrics('standalone').render()
    const own = text.split('\n').filter((line) => /^(# (HELP|TYPE) )?svc_/.test(line))
    promtool(['check', 'metrics'], `${own.join('\n')}\n`)
  })
})
