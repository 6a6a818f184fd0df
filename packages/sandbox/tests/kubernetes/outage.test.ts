import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SandboxProvider } from '../../src/index.ts'
import { chooseProvider, providerSettings } from '../../src/providers/index.ts'
import { createKubernetesProvider } from '../../src/providers/kubernetes/create-kubernetes-provider.ts'
import type { Deadlines, KubernetesProviderOptions } from '../../src/providers/kubernetes/options.ts'
import { type ApiStandIn, startApiStandIn } from './api-stand-in.ts'

let api: ApiStandIn
let provider: SandboxProvider
const warnings: string[] = []

const open = (
  deadlines: Partial<Deadlines> = {},
  changes: Partial<KubernetesProviderOptions> = {},
): Promise<SandboxProvider> =>
  createKubernetesProvider({
    kubeconfig: api.kubeconfig,
    context: null,
    namespace: null,
    deployment: 'here',
    image: 'svc-sandbox:1',
    harnesses: [],
    storage_class: null,
    runtime_class: null,
    pull_secret: null,
    apps_registry: null,
    apps_engine: null,
    platform: ['svc'],
    platform_ports: [7700],
    egress: { mode: 'open', forbidden_urls: [], private_repositories: false },
    limits: { cpu: 1, memory_mb: 256, disk_mb: 512 },
    api_url: 'http://127.0.0.1:1/v1',
    deadlines,
    log: (_, message) => warnings.push(message),
    ...changes,
  })

beforeEach(async () => {
  api = await startApiStandIn()
  provider = await open()
  warnings.length = 0
})

afterEach(() => api.close())

const spec = () => ({ sandbox_id: randomUUID(), environment: { A: '1' } })
const pods = /\/pods/
const refuse = (status: number, message = 'not now') => ({ status, message })
const sorted = (names: readonly string[]) => names.toSorted()

it('the environment of a pod that sleeps is read, and another one takes its place whole', async () => {
  const { external_id } = await provider.create({ ...spec(), environment: { OLD: 'völlig', KEPT: 'yes' } })
  const { OLD, ...rest } = (await provider.environment(external_id)) ?? {}
  expect(OLD).toBe('völlig')
  await provider.stop(external_id)
  await provider.start(external_id, { ...rest, NEW: 'new' })
  const environment = await provider.environment(external_id)
  expect(environment).toMatchObject({ KEPT: 'yes', NEW: 'new' })
  expect(environment).not.toHaveProperty('OLD')
  expect(await provider.environment('sbx_none')).toBeNull()
})

describe('an API server that is away', () => {
  it.each([
    ['cuts', 'cut'],
    ['answers 500', refuse(500)],
    ['answers 503', refuse(503)],
    ['is behind a proxy that finds nothing', refuse(404, 'no such route')],
    ['no longer knows us', refuse(401)],
  ] as const)('and %s is no news of a sandbox', async (_, answer) => {
    const { external_id } = await provider.create(spec())
    api.fail({ method: 'GET', path: pods, times: 1, answer })
    expect(await provider.status(external_id)).toBe('unknown')
    expect(warnings).toEqual(['a sandbox cannot be looked at'])
    expect(await provider.status(external_id)).toBe('running')
  })

  it('is given up after the deadline of a request', async () => {
    const { external_id } = await provider.create(spec())
    const impatient = await open({ request_ms: 50 })
    api.fail({ method: 'GET', path: pods, times: 1, answer: 'hang' })
    expect(await impatient.status(external_id)).toBe('unknown')
  })

  it('leaves nothing to say of a claim that cannot be looked at', async () => {
    const { external_id } = await provider.create(spec())
    await provider.stop(external_id)
    api.fail({ method: 'GET', path: /persistentvolumeclaims/, times: 1, answer: refuse(500) })
    expect(await provider.status(external_id)).toBe('unknown')
    expect(await provider.status(external_id)).toBe('stopped')
  })

  it('when it is to give the last words does not keep a sandbox from its end', async () => {
    const { external_id } = await provider.create(spec())
    api.fail({ method: 'GET', path: /\/log/, times: 2, answer: refuse(500) })
    expect(await provider.exitReport(external_id)).toEqual({ exit: null, output: '' })
    await provider.stop(external_id)
    expect(await provider.status(external_id)).toBe('stopped')
  })

  it('for good: nothing is running, nothing is gone, everything may be tried again', async () => {
    const { external_id } = await provider.create(spec())
    await api.close()
    expect(await provider.status(external_id)).toBe('unknown')
    const network = { kind: 'network', retryable: true }
    await expect(provider.endpoint(external_id)).rejects.toMatchObject(network)
    await expect(provider.create(spec())).rejects.toMatchObject(network)
    await expect(provider.start(external_id)).rejects.toMatchObject(network)
    await expect(provider.stop(external_id)).rejects.toMatchObject(network)
    await expect(provider.destroy(external_id)).rejects.toMatchObject(network)
    await expect(provider.touch(external_id)).rejects.toMatchObject(network)
    await expect(provider.list()).rejects.toMatchObject(network)
  })

  it('while a pod starts is waited for', async () => {
    api.fail({
      method: 'GET',
      path: /\/pods\/sbx-.*$/,
      times: 1,
      answer: refuse(404, 'pods "sbx" not found'),
    })
    api.fail({ method: 'GET', path: /\/pods\/sbx-.*$/, times: 2, answer: refuse(503) })
    api.fail({ method: 'GET', path: /watch=true/, times: 2, answer: 'cut' })
    const { external_id } = await provider.create(spec())
    expect(await provider.status(external_id)).toBe('running')
  })
})

describe('an API server with too much to do', () => {
  it('is asked again, as often as it takes', async () => {
    api.fail({ method: 'POST', path: pods, times: 2, answer: refuse(429) })
    const { external_id } = await provider.create(spec())
    expect(await provider.status(external_id)).toBe('running')
    expect(api.requests.filter((line) => line.startsWith('POST') && line.endsWith('/pods'))).toHaveLength(3)
  })
})

describe('a watch', () => {
  it.each([
    ['that is cut', 'cut'],
    ['that is refused', refuse(410)],
    ['that never answers', 'hang'],
  ] as const)('%s costs no start', async (_, answer) => {
    const quick = await open({ schedule_ms: 200 })
    api.fail({ method: 'GET', path: /watch=true/, times: 3, answer })
    const { external_id } = await quick.create(spec())
    expect(await quick.status(external_id)).toBe('running')
  })
})

describe('two workers at once', () => {
  it('make one sandbox of one create', async () => {
    const other = await open()
    const both = spec()
    const [one, two] = await Promise.all([provider.create(both), other.create(both)])
    expect(one).toEqual(two)
    expect(api.names('pods')).toHaveLength(1)
    expect(api.names('persistentvolumeclaims')).toHaveLength(1)
  })

  it('where one finds everything made already, take it as theirs', async () => {
    const same = spec()
    const first = await provider.create(same)
    expect(await (await open()).create(same)).toEqual(first)
  })
})

describe('a pod that does not come up', () => {
  const waiting = (reason: string) => ({
    phase: 'Pending',
    containerStatuses: [
      { name: 'sandbox', image: 'svc-sandbox:1', state: { waiting: { reason, message: 'no such tag' } } },
    ],
  })
  const unschedulable = (message: string) => ({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  })

  it('for want of its image says so and leaves nothing', async () => {
    api.pods = [waiting('ContainerCreating'), waiting('ErrImagePull'), waiting('ImagePullBackOff')]
    await expect(provider.create(spec())).rejects.toMatchObject({
      kind: 'image',
      retryable: false,
      message: expect.stringContaining('no such tag'),
    })
    for (const kind of ['pods', 'secrets', 'persistentvolumeclaims']) expect(api.names(kind)).toEqual([])
  })

  it('for want of room says so, and keeps the files of a sandbox that ran before', async () => {
    const { external_id } = await provider.create(spec())
    await provider.stop(external_id)
    const impatient = await open({ schedule_ms: 100 })
    api.pods = [unschedulable('0/3 nodes are available')]
    await expect(impatient.start(external_id)).rejects.toMatchObject({ kind: 'capacity', retryable: true })
    expect(api.names('pods')).toEqual([])
    expect(await provider.status(external_id)).toBe('stopped')
  })

  it('in time is given up', async () => {
    const impatient = await open({ start_ms: 200, schedule_ms: 200 })
    api.pods = [waiting('ContainerCreating')]
    await expect(impatient.create(spec())).rejects.toMatchObject({ kind: 'internal', retryable: true })
    expect(api.names('pods')).toEqual([])
  })

  it('because the quota is used up says so', async () => {
    const message = 'pods "a" is forbidden: exceeded quota: team'
    api.fail({ method: 'POST', path: pods, times: 1, answer: refuse(403, message) })
    await expect(provider.create(spec())).rejects.toMatchObject({
      kind: 'quota',
      message: expect.stringContaining(message),
    })
    expect(api.names('persistentvolumeclaims')).toEqual([])
  })
})

describe('what is written', () => {
  it('is one policy, and a pod, a claim and a secret of one name', async () => {
    await provider.create(spec())
    await provider.create(spec())
    expect(api.names('networkpolicies')).toEqual(['svc-sandboxes-here'])
    expect(sorted(api.names('pods'))).toEqual(sorted(api.names('persistentvolumeclaims')))
    expect(sorted(api.names('pods'))).toEqual(sorted(api.names('secrets')))
  })

  it('of the policy follows the settings', async () => {
    await provider.create(spec())
    const put = (line: string) => line.startsWith('PUT') && line.includes('networkpolicies')
    expect(api.requests.filter(put)).toEqual([])
    await (await open({}, { platform: ['elsewhere'] })).create(spec())
    expect(api.requests.filter(put)).toHaveLength(1)
  })
})

describe('how it is opened', () => {
  it('is by its name, in the namespace of the context', async () => {
    const settings = z.object(providerSettings).parse({
      SVC_KUBERNETES_KUBECONFIG: api.kubeconfig,
      SVC_KUBERNETES_IMAGE: 'svc-sandbox:1',
      SVC_KUBERNETES_PLATFORM: 'svc',
    })
    const chosen = await chooseProvider({
      SVC_SANDBOX_PROVIDER: 'kubernetes',
      settings,
      root: '/nonexistent',
      scope: 'here',
      tools: { node: '', agent_bundle: '', cli_folder: null, runtimes: {} },
      api_url: 'http://127.0.0.1:1/v1',
      log: () => undefined,
    })
    expect(chosen.provider.name).toBe('kubernetes')
    expect(chosen.why).toContain('SVC_SANDBOX_PROVIDER=kubernetes')
    await chosen.provider.list()
    expect(api.requests).toEqual([
      'GET /api/v1/namespaces/boxes/persistentvolumeclaims',
      'GET /api/v1/namespaces/boxes/pods',
    ])
  })

  it.each([
    [{ kubeconfig: '/nonexistent/config' }, '/nonexistent/config'],
    [{ kubeconfig: null }, 'SVC_KUBERNETES_KUBECONFIG'],
    [{ context: 'nowhere' }, 'no context "nowhere"'],
    [{ platform: [] }, 'SVC_KUBERNETES_PLATFORM'],
    [{ image: '' }, 'SVC_KUBERNETES_IMAGE'],
  ])('refuses %j and names %s', async (changes, words) => {
    await expect(open({}, changes)).rejects.toThrow(words)
  })
})
