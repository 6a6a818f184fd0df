import { authenticate } from '@svc/context'
import type { SandboxProvider } from '@svc/sandbox'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { expect, test } from 'vitest'
import { provisionSandbox, reportTurnStream } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const endpoint = () => ({ url: world.daemon.url })

/** The answer to the renewals of a session's lease, with a sandbox of this provider. */
async function beat(
  provider: SandboxProvider,
  environment: () => Readonly<Record<string, string>> | undefined,
) {
  const project = await makeProject(world)
  const session = await newSession(world, project)
  world.queue.drop()
  await provisionSandbox(world.worker({ provider }), session.key)
  const { SVC_SANDBOX_TOKEN = '' } = environment() ?? {}
  const daemon = world.as(await authenticate(world.base, SVC_SANDBOX_TOKEN))
  const report = (
    report: { kind: 'execution_heartbeat'; lease_ttl_seconds: number } | { kind: 'execution_lease_release' },
  ) => reportTurnStream(daemon, { ...session.key, ...report })
  return { renewed: await report({ kind: 'execution_heartbeat', lease_ttl_seconds: 60 }), report, session }
}

test('a renewal of the lease says where to touch the provider, when the provider has such a place', async () => {
  const provider = createMemoryProvider({
    endpoint,
    edge: (external_id) => ({
      url: `https://edge.example/${external_id}`,
      headers: { authorization: 'Bearer edge-key' },
    }),
  })
  const { renewed, report, session } = await beat(
    provider,
    () => [...provider.sandboxes.values()][0]?.environment,
  )
  const { external_id, sealed_edge } = await session.sandbox()
  expect(renewed).toMatchObject({
    ok: true,
    provider_url: `https://edge.example/${external_id}`,
    provider_headers: { authorization: 'Bearer edge-key' },
  })
  expect(sealed_edge).not.toContain('edge-key')
  expect(await report({ kind: 'execution_lease_release' })).not.toHaveProperty('provider_url')
})

test('the providers that are here have no such place, and the fields are absent', async () => {
  const provider = createMemoryProvider({ endpoint })
  const { renewed } = await beat(provider, () => [...provider.sandboxes.values()][0]?.environment)
  expect(Object.keys(renewed).toSorted()).toEqual(['lease_expires_at', 'ok'])
})
