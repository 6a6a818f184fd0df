import { describeOnCluster } from '@svc/sandbox/testing/cluster'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { awaitTurn } from '../support/sessions/agent.ts'

/** The whole platform beside a cluster, with an image of `make-image.mjs --harness`. */
describeOnCluster('a harness in a pod', (cluster) => {
  describe('a session on a harness that its image holds', () => {
    let place: Place
    let platform: Platform
    let project_id: string

    beforeAll(async () => {
      place = await makeBegunPlace()
      const { port } = new URL(place.origin)
      platform = await startOn(place, {
        SVC_SANDBOX_PROVIDER: 'kubernetes',
        SVC_DEPLOYMENT: `harness-${port}`,
        SVC_HOST: cluster.host_address,
        SVC_PUBLIC_URL: `http://${cluster.host_address}:${port}`,
        SVC_KUBERNETES_KUBECONFIG: cluster.kubeconfig,
        SVC_KUBERNETES_IMAGE: cluster.harness_image,
        SVC_KUBERNETES_HARNESSES: cluster.harnesses,
        SVC_KUBERNETES_PLATFORM: `${cluster.host_address}/32`,
        SVC_KUBERNETES_MEMORY_MB: '1024',
        SVC_KUBERNETES_DISK_MB: '1024',
        SVC_WARM_POOL_SIZE: '0',
      })
      ;({ project_id } = await platform.client.projects.provision({ name: 'Harnesses' }))
    })
    afterAll(async () => {
      await platform?.stop()
      await place?.remove()
    })

    test('works, pushes and opens a change request', async () => {
      const { sessions, changeRequests } = platform.client.projects
      const session = await sessions.create(project_id, {
        harness: 'gemini',
        initial_prompt: 'Add a file NOTES.md that says in one sentence what this repository is for.',
      })
      const turn = await awaitTurn(platform.client, session)
      expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
      const { items } = await changeRequests.list(project_id)
      expect(items.map(({ head_ref }) => head_ref)).toEqual([session.branch_name])
      expect(await sessions.get(project_id, session.session_id)).toMatchObject({
        harness: 'gemini',
        sandbox_provider: 'kubernetes',
      })
      await sessions.delete(project_id, session.session_id)
    })

    test('is refused one that the image lacks, with the command that puts it there', async () => {
      const asked = platform.client.projects.sessions.create(project_id, { harness: 'codex' })
      await expect(asked).rejects.toMatchObject({
        status: 409,
        code: 'HARNESS_UNAVAILABLE',
        details: expect.objectContaining({ reason: 'provider' }),
        message: expect.stringContaining('infra/kubernetes/make-image.mjs --harness codex'),
      })
    })
  })
})
