import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnCluster } from '../../src/testing/cluster.ts'
import { openKubernetes, type OpenedKubernetes } from './open-kubernetes.ts'

describeOnCluster('the complete image', (cluster) => {
  describe('in a pod', () => {
    let opened: OpenedKubernetes

    beforeAll(async () => {
      opened = await openKubernetes(cluster, {
        image: cluster.complete_image,
        limits: { cpu: 1, memory_mb: 1_024, disk_mb: 1_024 },
      })
    })
    afterAll(() => opened.dispose())

    it('runs the daemon, and its runtime opens a session', async () => {
      const { endpoint } = await opened.provider.create({
        sandbox_id: randomUUID(),
        environment: {
          SVC_PROJECT_ID: randomUUID(),
          SVC_SESSION_ID: randomUUID(),
          SVC_API_URL: 'http://127.0.0.1:1/v1',
          SVC_SANDBOX_TOKEN: 'svc_sbx_of_this_test',
        },
      })
      // Until the daemon listens, no process answers there.
      const health = () => fetch(`${endpoint.url}/svc/health`).then((answer) => answer.text(), String)
      await expect
        .poll(health, { timeout: 200_000, interval: 250 })
        .toMatch(/"status":"ready".*"name":"agentrt","state":"ready","session_id":"[^"]+"/)
    })
  })
})
