import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiSettings } from '@svc/api'
import { appProxySettings } from '@svc/app-proxy'
import { appWorkerSettings } from '@svc/app-worker'
import { channelWorkerSettings } from '@svc/channel-worker'
import { executorSettings } from '@svc/executor'
import { mergeWorkerSettings } from '@svc/merge-worker'
import { sandboxWorkerSettings } from '@svc/sandbox-worker'
import { schedulerSettings } from '@svc/scheduler'
import type {
  V1Deployment,
  V1Ingress,
  V1Job,
  V1NetworkPolicy,
  V1Role,
  V1Service,
} from '@kubernetes/client-node'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import {
  canRender,
  chart,
  type Manifest,
  renderChart,
  unknownKeys,
  values,
} from '../support/platform/helm.ts'

if (!canRender && process.env.CI) throw new Error('CI needs helm, or Go with sprig, for these tests')
if (!canRender) console.warn('Skipped: neither helm nor Go with sprig is installed')

const services = [
  ...['api', 'gateway', 'executor', 'scheduler', 'merge-worker', 'sandbox-worker'],
  ...['app-worker', 'app-proxy', 'channel-worker'],
]

describe.skipIf(!canRender)('the chart, rendered', () => {
  let manifests: readonly Manifest[]
  beforeAll(async () => {
    manifests = await renderChart(['policy/v1/PodDisruptionBudget', 'autoscaling/v2/HorizontalPodAutoscaler'])
  })
  const of = <T>(kind: string, name: string) =>
    manifests.find((one) => one.kind === kind && one.metadata.name === `svc-${name}`) as T | undefined

  test('each document is one that the API knows, key by key', () => {
    const known = manifests.filter(({ kind }) => kind !== 'ServiceMonitor')
    expect(known.length).toBeGreaterThan(25)
    expect(known.flatMap(unknownKeys)).toEqual([])
    const [deployment] = known.filter(({ kind }) => kind === 'Deployment')
    const wrong = { ...deployment, spec: { template: { spec: { containers: [{ naem: 'x' }] } } } }
    expect(unknownKeys(wrong as Manifest)).toEqual(['Deployment.spec.template.spec.containers[0].naem'])
  })

  test('a cluster of 1.20 gets the versions that it has', async () => {
    const old = await renderChart([])
    const versions = Object.fromEntries(old.map(({ kind, apiVersion }) => [kind, apiVersion]))
    expect(versions).toMatchObject({
      PodDisruptionBudget: 'policy/v1beta1',
      HorizontalPodAutoscaler: 'autoscaling/v2beta2',
    })
  })

  test.each(services)('%s is closed, bounded, looked at, and alone with its account and budget', (name) => {
    const pod = of<V1Deployment>('Deployment', name)?.spec?.template.spec
    const [container] = pod?.containers ?? []
    expect(container?.command).toEqual(['node', `apps/${name}/dist/main.js`])
    expect(container?.securityContext).toMatchObject({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
      ...{ capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container?.startupProbe?.httpGet?.path).toBe('/healthz')
    expect(container?.livenessProbe?.httpGet?.path).toBe('/healthz')
    expect(container?.readinessProbe?.httpGet?.path).toBe('/readyz')
    // The default, a second, ends services of a node that is only busy.
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      expect(container?.[probe]?.timeoutSeconds, probe).toBe(5)
    expect(container?.resources?.limits).toHaveProperty('memory')
    expect(pod?.serviceAccountName).toBe(`svc-${name}`)
    // Else the Service of the executor would be taken for its port: SVC_EXECUTOR_PORT=tcp://…
    expect(pod?.enableServiceLinks).toBe(false)
    expect(pod?.automountServiceAccountToken).toBe(['sandbox-worker', 'app-worker'].includes(name))
    expect(of('ServiceAccount', name)).toBeDefined()
    expect(of('PodDisruptionBudget', name)).toBeDefined()
    expect(of<V1NetworkPolicy>('NetworkPolicy', name)?.spec?.policyTypes).toEqual(['Ingress', 'Egress'])
    const own = ['gateway', 'app-proxy', 'merge-worker'].includes(name)
    expect(container?.envFrom).toEqual([{ secretRef: { name: own ? `svc-${name}` : 'svc' } }])
  })

  test.each([
    ['api', apiSettings.shape],
    ['app-proxy', appProxySettings.shape],
    ['app-worker', appWorkerSettings.shape],
    ['channel-worker', channelWorkerSettings.shape],
    ['executor', executorSettings.shape],
    ['scheduler', schedulerSettings.shape],
    ['merge-worker', mergeWorkerSettings.shape],
    ['sandbox-worker', sandboxWorkerSettings.shape],
  ])(
    'each variable of %s is a setting that takes the value',
    (name, shape: Readonly<Record<string, Setting>>) => {
      const env = of<V1Deployment>('Deployment', name)?.spec?.template.spec?.containers[0]?.env ?? []
      expect(env.length).toBeGreaterThan(4)
      for (const { name: variable, value } of env) {
        const setting = shape[variable]
        expect(setting, variable).toBeDefined()
        if (value !== undefined) expect(setting?.safeParse(value).success, `${variable}=${value}`).toBe(true)
      }
    },
  )

  test('those who make pods, and no other, have the settings of them and a token', () => {
    const makers = services.filter((name) =>
      of<V1Deployment>('Deployment', name)?.spec?.template.spec?.containers[0]?.env?.some(
        (one) => one.name === 'SVC_SANDBOX_PROVIDER' && one.value === 'kubernetes',
      ),
    )
    expect(makers).toEqual(['sandbox-worker', 'app-worker'])
  })

  test('the API and the gateway alone are given the key that seals those of model providers', () => {
    const holders = services.filter((name) =>
      of<V1Deployment>('Deployment', name)?.spec?.template.spec?.containers[0]?.env?.some(
        (one) =>
          one.name === 'SVC_GATEWAY_MASTER_KEY' && one.valueFrom?.secretKeyRef?.name === 'svc-gateway-key',
      ),
    )
    expect(holders).toEqual(['api', 'gateway'])
  })

  test('the API and the channel-worker know the mail of channels, which the namespace of the mail server hands over', () => {
    const mail = (name: string) =>
      Object.fromEntries(
        (of<V1Deployment>('Deployment', name)?.spec?.template.spec?.containers[0]?.env ?? [])
          .filter((one) => one.name.startsWith('SVC_CHANNEL_'))
          .map((one) => [one.name, one.value]),
      )
    const known = {
      SVC_CHANNEL_MAIL_DOMAIN: 'mail.example.net',
      SVC_CHANNEL_MAIL_AUTHSERV: 'mx.example.net',
    }
    expect(mail('api')).toEqual(known)
    expect(mail('channel-worker')).toEqual({ ...known, SVC_CHANNEL_LMTP: '0.0.0.0:7024' })
    for (const name of services.filter((one) => one !== 'api' && one !== 'channel-worker'))
      expect(mail(name), name).toEqual({})
    expect(of<V1Service>('Service', 'channel-worker')?.spec?.ports).toEqual([
      { name: 'lmtp', port: 7024, targetPort: 'lmtp' },
    ])
    expect(of<V1NetworkPolicy>('NetworkPolicy', 'channel-worker')?.spec?.ingress?.[0]).toEqual({
      ports: [{ port: 7024 }],
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'postfix' } } }],
    })
  })

  test('the schema is brought up to date before an install and an upgrade, by its owner', () => {
    const job = of<V1Job>('Job', 'migrate')
    expect(job?.metadata?.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(job?.spec?.template.spec?.containers[0]).toMatchObject({
      command: ['node', 'apps/api/dist/main.js', 'migrate'],
      envFrom: [{ secretRef: { name: 'svc-owner' } }],
    })
  })

  test('a pod that leaves listens on, and is given the time to end', () => {
    for (const name of services) {
      const pod = of<V1Deployment>('Deployment', name)?.spec?.template.spec
      const drain = pod?.containers[0]?.env?.find((one) => one.name === 'SVC_DRAIN_SECONDS')?.value
      expect(drain, name).toBe('10')
      expect(pod?.terminationGracePeriodSeconds, name).toBe(40)
    }
  })

  test('the sandbox-worker may do what infra/kubernetes says, and no more', async () => {
    const page = await readFile(join(chart, '../../kubernetes/rbac.yaml'), 'utf8')
    const documents = parseAllDocuments(page).map((document): Manifest => document.toJS())
    const role = documents.find(({ kind }) => kind === 'Role') as V1Role | undefined
    expect(role?.rules?.length).toBeGreaterThan(3)
    expect(of<V1Role>('Role', 'sandbox-worker')?.rules).toEqual(role?.rules)
  })

  test('what is not allowed is refused; people come in by the ingress, without buffering', () => {
    expect(of<V1NetworkPolicy>('NetworkPolicy', 'default-deny')?.spec).not.toHaveProperty('ingress')
    const ingress = manifests.find(({ kind }) => kind === 'Ingress') as V1Ingress | undefined
    expect(ingress?.metadata?.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
      'nginx.ingress.kubernetes.io/proxy-body-size': '1024m',
    })
    expect(ingress?.spec?.rules?.map(({ host }) => host)).toEqual([
      'svc.example.com',
      '*.preview.example.net',
      '*.apps.example.net',
    ])
  })
})

interface Setting {
  safeParse(value: unknown): { readonly success: boolean }
}

test('values that are missing or wrong are named', async () => {
  const schema: unknown = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8'))
  const defaults = parse(await readFile(join(chart, 'values.yaml'), 'utf8'))
  const given = parse(await readFile(values, 'utf8'))
  const judge = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema as object)
  const problems = (changes: object) => {
    judge(changes)
    return (judge.errors ?? []).map(
      ({ instancePath, params }) => instancePath || params['additionalProperty'],
    )
  }
  const whole = Object.fromEntries(
    Object.entries<object>({ ...defaults, ...given }).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) ? { ...defaults[key], ...value } : value,
    ]),
  )
  expect(problems(whole)).toEqual([])
  expect([...new Set(problems(defaults))].sort()).toEqual([
    '/appProxy/existingSecret',
    '/existingSecret',
    '/gateway/existingSecret',
    '/migrate/existingSecret',
    '/publicUrl',
    '/repositories/existingClaim',
    '/sandboxes/image',
  ])
  expect(problems({ ...whole, secretKey: 'in the open' })).toEqual(['secretKey'])
})
