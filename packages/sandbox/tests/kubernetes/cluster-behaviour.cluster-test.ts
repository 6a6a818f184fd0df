import { randomUUID } from 'node:crypto'
import { AuthorizationV1Api, KubeConfig, NetworkingV1Api } from '@kubernetes/client-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxProvider, SandboxSpec } from '../../src/index.ts'
import { runIn, until } from '../../src/testing/sandbox-client.ts'
import { describeOnCluster } from '../../src/testing/cluster.ts'
import { openKubernetes, type OpenedKubernetes } from './open-kubernetes.ts'

describeOnCluster('what a real cluster says', (cluster) => {
  const { admin, namespace } = cluster
  let opened: OpenedKubernetes
  let provider: SandboxProvider

  beforeEach(async () => {
    opened = await openKubernetes(cluster)
    provider = opened.provider
  })

  afterEach(() => opened.dispose())

  const spec = (changes: Partial<SandboxSpec> = {}): SandboxSpec => ({
    sandbox_id: randomUUID(),
    environment: {},
    ...changes,
  })
  const nameOf = (external_id: string) => external_id.replace('_', '-')
  const leftOf = async () => {
    const labelSelector = `svc/deployment=${opened.deployment}`
    const [pods, claims, secrets] = await Promise.all([
      admin.listNamespacedPod({ namespace, labelSelector }),
      admin.listNamespacedPersistentVolumeClaim({ namespace, labelSelector }),
      admin.listNamespacedSecret({ namespace, labelSelector }),
    ])
    return [...pods.items, ...claims.items, ...secrets.items].map(({ metadata }) => metadata?.name)
  }
  const nothingLeft = () => until('nothing left', leftOf, (names) => names.length === 0)

  describe('of a sandbox that runs', () => {
    it('shows no secret to who may look at pods and claims', async () => {
      const secret = randomUUID()
      const { external_id } = await provider.create(spec({ environment: { A_SECRET: secret } }))
      const name = nameOf(external_id)
      const seen = JSON.stringify([
        await admin.readNamespacedPod({ namespace, name }),
        await admin.readNamespacedPersistentVolumeClaim({ namespace, name }),
        await admin.listNamespacedEvent({ namespace }),
      ])
      expect(seen).toContain(name)
      expect(seen).not.toContain(secret)
      expect(seen).not.toContain(Buffer.from(secret).toString('base64'))
    })

    it('has no capability, no new privileges, a seccomp filter and no token of the cluster', async () => {
      const { endpoint } = await provider.create(spec())
      const { output } = await runIn(
        endpoint,
        'grep -E "^(Cap(Eff|Bnd|Prm)|NoNewPrivs|Seccomp):" /proc/self/status',
      )
      const facts = Object.fromEntries(output.split('\n').map((line) => line.split(/:\s+/)))
      expect(facts).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' })
      for (const set of ['CapEff', 'CapPrm', 'CapBnd']) expect(facts[set]).toMatch(/^0+$/)
      expect((await runIn(endpoint, 'ls -A /var/run/secrets /run/secrets 2>/dev/null')).output).toBe('')
    })

    it('owns its workspace, as git wants it', async () => {
      const { endpoint } = await provider.create(spec())
      expect(await runIn(endpoint, 'git init -q . && git status --short')).toEqual({ code: 0, output: '' })
    })

    it('is held to its memory, and lives on', async () => {
      const { external_id, endpoint } = await provider.create(spec({ limits: { memory_mb: 128 } }))
      expect((await runIn(endpoint, 'tail /dev/zero')).code).not.toBe(0)
      expect((await runIn(endpoint, 'echo alive')).output).toBe('alive\n')
      expect(await provider.status(external_id)).toBe('running')
    })

    it('is covered by the policy of its deployment', async () => {
      const { external_id } = await provider.create(spec())
      const policy = await cluster.admin_config
        .makeApiClient(NetworkingV1Api)
        .readNamespacedNetworkPolicy({ namespace, name: `svc-sandboxes-${opened.deployment}` })
      const pod = await admin.readNamespacedPod({ namespace, name: nameOf(external_id) })
      expect(pod.metadata?.labels).toMatchObject(policy.spec?.podSelector?.matchLabels ?? { none: 'none' })
    })

    it('whose pod was deleted by hand is stopped, and comes back with its files', async () => {
      const { external_id, endpoint } = await provider.create(spec())
      await runIn(endpoint, 'echo kept > "$SVC_WORKSPACE/file"')
      await admin.deleteNamespacedPod({ namespace, name: nameOf(external_id) })
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      const started = await provider.start(external_id)
      expect((await runIn(started.endpoint, 'cat "$SVC_WORKSPACE/file"')).output).toBe('kept\n')
    })

    it('leaves nothing in the cluster when it is destroyed', async () => {
      const { external_id } = await provider.create(spec())
      await provider.destroy(external_id)
      await nothingLeft()
    })
  })

  describe('of one that cannot run', () => {
    it('no such image', async () => {
      const template = { slug: 'none', image: 'registry.invalid/none:1' }
      await expect(provider.create(spec({ template }))).rejects.toMatchObject({ kind: 'image' })
      await nothingLeft()
    })

    it('an image without the tools', async () => {
      const template = { slug: 'bare', image: cluster.base_image }
      const { external_id } = await provider.create(spec({ template }))
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      expect(await provider.exitReport(external_id)).toMatchObject({
        exit: 'exited with code 127',
        output: expect.stringContaining('svc-entrypoint'),
      })
    })

    it('an image without a shell', async () => {
      const template = { slug: 'empty', image: 'svc-pause:1' }
      await expect(provider.create(spec({ template }))).rejects.toMatchObject({ kind: 'image' })
      await nothingLeft()
    })

    it('no node with room', async () => {
      // Long enough for the claim of its volume to be bound: until then the scheduler speaks of that alone.
      const impatient = await opened.open({ deadlines: { schedule_ms: 20_000 } })
      await expect(impatient.create(spec({ limits: { memory_mb: 100_000_000 } }))).rejects.toMatchObject({
        kind: 'capacity',
        retryable: true,
        message: expect.stringContaining('Insufficient memory'),
      })
      await nothingLeft()
    })

    it('no volume', async () => {
      const impatient = await opened.open({
        storage_class: 'no-such-class',
        deadlines: { schedule_ms: 2_000 },
      })
      await expect(impatient.create(spec())).rejects.toMatchObject({
        kind: 'quota',
        message: expect.stringContaining('PersistentVolumeClaims'),
      })
      await nothingLeft()
    })

    it('quota used up', async () => {
      const body = { metadata: { name: 'none' }, spec: { hard: { 'count/pods': '0' } } }
      await admin.createNamespacedResourceQuota({ namespace, body })
      try {
        // The quota counts once its controller has seen it.
        await until(
          'the quota',
          () => admin.readNamespacedResourceQuota({ namespace, name: 'none' }),
          ({ status }) => status?.used?.['count/pods'] !== undefined,
        )
        await expect(provider.create(spec())).rejects.toMatchObject({
          kind: 'quota',
          message: expect.stringContaining('exceeded quota'),
        })
        await nothingLeft()
      } finally {
        await admin.deleteNamespacedResourceQuota({ namespace, name: 'none' })
      }
    })

    it('no such namespace', async () => {
      const astray = await openKubernetes(cluster, { namespace: 'svc-nowhere' })
      await expect(astray.provider.create(spec())).rejects.toMatchObject({ kind: 'internal' })
    })
  })

  describe('of the worker’s role', () => {
    const config = new KubeConfig()
    config.loadFromFile(cluster.kubeconfig)
    const may = async (verb: string, resource: string, place = namespace) => {
      const [name = '', subresource] = resource.split('/')
      const [plain = '', group] = name.split('.', 2)
      const resourceAttributes = {
        verb,
        resource: plain,
        namespace: place,
        ...(group === undefined ? {} : { group: name.slice(plain.length + 1) }),
        ...(subresource === undefined ? {} : { subresource }),
      }
      const review = { body: { spec: { resourceAttributes } } }
      const { status } = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview(review)
      return status?.allowed
    }

    it('may make sandboxes', async () => {
      expect(await may('create', 'pods')).toBe(true)
      expect(await may('create', 'networkpolicies.networking.k8s.io')).toBe(true)
    })

    it.each([
      ['create', 'pods/exec'],
      ['create', 'pods/attach'],
      ['create', 'pods/portforward'],
      ['update', 'pods'],
      ['list', 'secrets'],
      ['delete', 'networkpolicies.networking.k8s.io'],
      ['create', 'serviceaccounts/token'],
      ['create', 'roles.rbac.authorization.k8s.io'],
      ['create', 'deployments.apps'],
    ])('may not %s %s', async (verb, resource) => {
      expect(await may(verb, resource)).toBe(false)
    })

    it.each(['svc', 'default', 'kube-system'])('may do nothing in %s', async (place) => {
      for (const resource of ['pods', 'secrets', 'persistentvolumeclaims'])
        for (const verb of ['get', 'create', 'delete']) expect(await may(verb, resource, place)).toBe(false)
    })
  })
})
