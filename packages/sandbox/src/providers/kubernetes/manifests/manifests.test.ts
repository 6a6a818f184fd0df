import { describe, expect, it } from 'vitest'
import type { SandboxSpec } from '../../../provider.ts'
import { podSpecOf, dockerfileRefusal, podInputOf, readPodSpec } from './pod-spec.ts'
import { claimManifest } from './claim-manifest.ts'
import { policyManifest } from './network-policy-manifest.ts'
import { podManifest } from './pod-manifest.ts'
import { secretManifest } from './secret-manifest.ts'

const spec = {
  sandbox_id: 'a-session',
  environment: {},
  labels: { session_id: 'a-session', note: 'not a label, but words' },
}
const name = `sbx-${'a'.repeat(32)}`
const options = {
  deployment: 'here',
  image: 'registry/svc-sandbox:1',
  runtime_class: null,
  pull_secret: null,
  limits: { cpu: 2, memory_mb: 1024, disk_mb: 2048 },
}
const podOf = (changes: Partial<SandboxSpec> = {}, prepared = true) =>
  podManifest(podInputOf(options, name, podSpecOf({ ...spec, ...changes }), prepared))
const claimOf = (changes: Partial<SandboxSpec> = {}) =>
  claimManifest({
    name,
    deployment: 'here',
    podSpec: podSpecOf({ ...spec, ...changes }),
    disk_mb: 2048,
    storage_class: null,
  })

describe('the pod', () => {
  it('has no privilege, no token of the cluster and no other user than 1000', () => {
    const { spec: pod } = podOf({}, false)
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    for (const container of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]) {
      expect(container.securityContext).toEqual({
        privileged: false,
        allowPrivilegeEscalation: false,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.resources?.limits).toMatchObject({ cpu: '2000m', memory: '1024Mi' })
      expect(container.resources?.requests).toMatchObject({ cpu: '100m', memory: '1024Mi' })
    }
    expect(pod).not.toHaveProperty('hostNetwork')
    expect(pod).not.toHaveProperty('runtimeClassName')
  })

  it('mounts nothing but its claim and a folder in memory', () => {
    expect(podOf().spec?.volumes).toEqual([
      { name: 'files', persistentVolumeClaim: { claimName: name } },
      { name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
    ])
  })

  it('takes its environment from the secret and shows none of it', () => {
    const pod = podOf({ environment: { A_SECRET: 'do not show' } })
    expect(pod.spec?.containers[0]?.envFrom).toEqual([{ secretRef: { name } }])
    expect(pod.spec?.containers[0]).not.toHaveProperty('env')
    expect(JSON.stringify(pod)).not.toContain('do not show')
  })

  it('makes its folders before the first run only', () => {
    expect(podOf({}, false).spec?.initContainers).toHaveLength(1)
    expect(podOf({}, true).spec).not.toHaveProperty('initContainers')
  })

  it('takes the image and the limits of its template and spec', () => {
    const template = { slug: 'big', image: 'registry/big:2' }
    const container = podOf({ template, limits: { cpu: 0.5, memory_mb: 256 } }).spec?.containers[0]
    expect(container?.image).toBe('registry/big:2')
    expect(container?.resources?.limits).toMatchObject({ cpu: '500m', memory: '256Mi' })
  })

  it('runs a template’s command beside the daemon, as one word of the shell', () => {
    const template = { slug: 'big', image: 'registry/big:2', entrypoint: `echo 'it''s' "$HOME"; sleep 1` }
    const pod = podOf({ template })
    expect(pod.spec?.containers[0]?.command?.at(-1)).toBe(template.entrypoint)
  })

  it('asks for a runtime class where one is set', () => {
    const podSpec = podSpecOf(spec)
    const pod = podManifest(podInputOf({ ...options, runtime_class: 'gvisor' }, name, podSpec, true))
    expect(pod.spec?.runtimeClassName).toBe('gvisor')
  })

  it('is labelled by deployment and by what the caller says', () => {
    const { metadata } = podOf()
    expect(metadata?.labels).toEqual({
      'app.kubernetes.io/name': 'svc-sandbox',
      'app.kubernetes.io/managed-by': 'svc',
      'svc/deployment': 'here',
      'svc/sandbox': name,
      'svc/session_id': 'a-session',
    })
    expect(metadata?.annotations?.['svc/note']).toBe('not a label, but words')
  })

  it('keeps its own labels whatever the caller says', () => {
    expect(podOf({ labels: { deployment: 'elsewhere' } }).metadata?.labels?.['svc/deployment']).toBe('here')
  })
})

describe('the claim', () => {
  it('asks for the disk, of the cluster’s usual class unless one is set', () => {
    expect(claimOf().spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2048Mi' } },
    })
  })

  it('remembers how the sandbox is made', () => {
    const template = { slug: 'big', image: 'registry/big:2', entrypoint: 'serve' }
    const whole = { ...spec, template, limits: { cpu: 1, memory_mb: 64 } }
    expect(readPodSpec(claimOf(whole))).toEqual(podSpecOf(whole))
  })

  it('refuses a template that somebody would have to build', () => {
    expect(dockerfileRefusal({ slug: 'built', dockerfile: 'Dockerfile' })).toMatch(
      /template built.*provider kubernetes/,
    )
    expect(dockerfileRefusal({ slug: 'ready', image: 'debian:12' })).toBeNull()
  })

  it('without that memory is refused by name', () => {
    expect(() => readPodSpec({ metadata: { name } })).toThrow(name)
  })
})

describe('the secret', () => {
  const claim = { metadata: { name, uid: 'the-uid' } }
  const secretOf = (environment: Record<string, string>) =>
    secretManifest({ name, deployment: 'here', environment, claim })

  it('belongs to the claim and holds the values byte by byte', () => {
    const secret = secretOf({ A: 'with "quotes" and\nlines', EMPTY: '' })
    expect(secret.metadata?.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, uid: 'the-uid' },
    ])
    expect(Buffer.from(secret.data?.['A'] ?? '', 'base64').toString()).toBe('with "quotes" and\nlines')
    expect(secret.data?.['EMPTY']).toBe('')
  })

  it.each(['', 'A B', '1A', 'Ä', 'A='])('refuses the variable %j', (variable) => {
    expect(() => secretOf({ [variable]: 'x' })).toThrow(/cannot be passed on/)
  })

  it('refuses more than a secret holds, as a lack of room', () => {
    const environment = Object.fromEntries([...Array(17).keys()].map((n) => [`S${n}`, 'x'.repeat(64 * 1024)]))
    expect(() => secretOf(environment)).toThrow(expect.objectContaining({ kind: 'quota' }))
  })
})

describe('the network policy', () => {
  const settings = {
    deployment: 'here',
    platform: ['svc', '10.9.0.0/24'],
    platform_ports: [7700],
    mode: 'open' as const,
    forbidden: [],
  }
  const { spec: policy } = policyManifest(settings)
  const platform = [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'svc' } } },
    { ipBlock: { cidr: '10.9.0.0/24' } },
  ]

  it('lets the platform in at the daemon’s port, and nobody else', () => {
    expect(policy?.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(policy?.ingress).toEqual([{ _from: platform, ports: [{ protocol: 'TCP', port: 8000 }] }])
  })

  it('lets sandboxes out to names, the platform and the internet', () => {
    expect(policy?.egress).toHaveLength(3)
    expect(policy?.egress?.[0]?.ports?.map(({ port }) => port)).toEqual([53, 53])
    expect(policy?.egress?.[1]).toEqual({ to: platform, ports: [{ protocol: 'TCP', port: 7700 }] })
  })

  it.each(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', '2002::/16'])(
    'keeps %s out of the internet',
    (range) => {
      expect(policy?.egress?.[2]?.to?.flatMap(({ ipBlock }) => ipBlock?.except ?? [])).toContain(range)
    },
  )

  it('closes the internet where sandboxes reach the platform only', () => {
    const closed = policyManifest({ ...settings, mode: 'platform' }).spec
    expect(closed?.egress).toEqual(policy?.egress?.slice(0, 2))
  })

  it('closes a service at a public address at its port alone', () => {
    const forbidden = [
      { address: '8.8.8.8', port: 5432 },
      { address: '8.8.8.8', port: 6379 },
      { address: '10.0.0.5', port: 5432 },
    ]
    const [, , internet, rest, ...more] = policyManifest({ ...settings, forbidden }).spec?.egress ?? []
    expect(internet?.to?.[0]?.ipBlock?.except).toContain('8.8.8.8/32')
    expect(internet?.to?.[0]?.ipBlock?.except).not.toContain('10.0.0.5/32')
    expect(rest).toEqual({
      to: [{ ipBlock: { cidr: '8.8.8.8/32' } }],
      ports: [
        { protocol: 'TCP', port: 1, endPort: 5431 },
        { protocol: 'TCP', port: 5433, endPort: 6378 },
        { protocol: 'TCP', port: 6380, endPort: 65_535 },
      ],
    })
    expect(more).toEqual([])
  })

  it('has no rule without a peer or a port, which would let everybody through', () => {
    for (const { to, ports } of policy?.egress?.slice(0, 2) ?? []) {
      expect(to?.length).toBeGreaterThan(0)
      expect(ports?.length).toBeGreaterThan(0)
    }
    expect(policy?.ingress?.[0]?._from?.length).toBeGreaterThan(0)
  })
})
