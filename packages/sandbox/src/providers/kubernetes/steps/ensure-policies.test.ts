import type { V1NetworkPolicy } from '@kubernetes/client-node'
import { expect, it } from 'vitest'
import { ensurePolicy, ensureRepositoryPolicy } from './ensure-policies.ts'

const claim = { metadata: { name: 'sbx-one', uid: 'the-uid' } }
const options = {
  deployment: 'here',
  platform: ['svc'],
  platform_ports: [7700],
  egress: { mode: 'platform', forbidden_urls: [], private_repositories: true },
} as const

function memoryCluster() {
  const policies = new Map<string, V1NetworkPolicy>()
  const put = async (body: V1NetworkPolicy) => {
    policies.set(body.metadata?.name ?? '', body)
    return body
  }
  return {
    policies,
    findPolicy: async (name: string) => policies.get(name) ?? null,
    createPolicy: put,
    replacePolicy: (_: string, body: V1NetworkPolicy) => put(body),
  }
}

it('opens the way to a sandbox’s own repository, and takes it back', async () => {
  const cluster = memoryCluster()
  const ensure = (SVC_REPO_URL: string) =>
    ensureRepositoryPolicy(cluster, options, claim, {
      SVC_API_URL: 'https://svc.example/v1',
      SVC_REPO_URL,
    })
  await ensure('https://svc.example/v1/git/p')
  expect([...cluster.policies]).toEqual([])

  await ensure('https://10.1.2.3/team/app.git')
  const policy = cluster.policies.get('sbx-one')
  expect(policy?.metadata?.ownerReferences?.[0]?.uid).toBe('the-uid')
  expect(policy?.spec).toEqual({
    podSelector: { matchLabels: { 'svc/sandbox': 'sbx-one' } },
    policyTypes: ['Egress'],
    egress: [{ to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ protocol: 'TCP', port: 443 }] }],
  })

  await ensure('https://svc.example/v1/git/p')
  expect(cluster.policies.get('sbx-one')?.spec?.egress).toEqual([])
})

it('writes no policy that would leave a service open whose name is not known now', async () => {
  const cluster = memoryCluster()
  const egress = { ...options.egress, forbidden_urls: ['postgres://database.invalid/svc'] }
  await expect(ensurePolicy(cluster, { ...options, egress })).rejects.toMatchObject({ kind: 'network' })
  expect([...cluster.policies]).toEqual([])
})
