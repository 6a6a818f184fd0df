import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeOnCluster } from '@svc/sandbox/testing/cluster'
import { type Client, createClient, type ProvisionedProject, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChartGround, prepareGround } from '../support/chart/installed.ts'
import { startChartLoad } from '../support/chart/load.ts'
import { bootstrapFile, doubled, podCount } from '../support/chart/values.ts'
import {
  awaitTurn,
  bash,
  commitAndPush,
  promptAgent,
  script,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { renderChart } from '../support/platform/helm.ts'
import { awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'

const longMs = 900_000

/** infra/helm/svc as an operator gives it to a cluster; each test goes on where the one before it ended. */
describeOnCluster('the chart on a cluster', (cluster) => {
  describe('the chart on a cluster', { retry: 0, timeout: longMs }, () => {
    let ground: ChartGround
    let client: Client
    let token: string
    let project: ProvisionedProject
    let session: Session

    beforeAll(async () => {
      ground = await prepareGround(cluster)
      ground.makeImages(['one', 'two'])
    }, longMs)
    afterAll(() => ground?.close(), longMs)

    const running = async () => (await ground.pods()).map(({ spec }) => spec?.containers[0]?.image)

    test('with everything on is one that the API server takes', async () => {
      const manifests = (await renderChart([])).filter(({ kind }) => kind !== 'ServiceMonitor')
      expect(await ground.release.refused(manifests)).toEqual([])
    })

    test('is installed: the schema first, then all services, until each pod is ready', async () => {
      await ground.release.apply(await ground.render('one'), 'pre-install')
      await ground.release.rolledOut()
      expect(await running()).toEqual(Array(podCount).fill('svc-chart:one'))
      const restarts = (await ground.pods()).map(({ status }) => status?.containerStatuses?.[0]?.restartCount)
      expect(new Set(restarts)).toEqual(new Set([0]))
    })

    test('an agent in a pod opens a change request, which is merged', async () => {
      const file = await readFile(join(await ground.repositories(), bootstrapFile), 'utf8')
      const bootstrap: { readonly token: string; readonly api_url: string } = JSON.parse(file)
      expect(bootstrap.api_url).toBe(`${ground.public_url}/v1`)
      ;({ token } = bootstrap)
      client = createClient(bootstrap)
      project = await piProject(client, token, 'Chart')
      const { project_id } = project
      const begun = await startSession(client, project_id, [
        write('hello.txt', 'from the pod\n'),
        commitAndPush('Add a greeting'),
        bash('svc cr open --title Greeting'),
      ])
      expect(begun.turn, begun.turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
      ;({ session } = begun)
      const { sandbox_provider } = await client.projects.sessions.get(project_id, session.session_id)
      expect(sandbox_provider).toBe('kubernetes')
      const { items } = await client.projects.changeRequests.list(project_id)
      const merged = await client.projects.changeRequests.merge(project_id, items[0]?.cr_id ?? '')
      expect(merged.change_request.status).toBe('merged')
    })

    test('an upgrade whose schema cannot be made leaves everything as it was', async () => {
      const wrong = await ground.render('two', { migrate: { existingSecret: 'svc-stranger' } })
      await expect(ground.release.apply(wrong, 'pre-upgrade')).rejects.toThrow('The hook svc-migrate failed')
      expect(new Set(await running())).toEqual(new Set(['svc-chart:one']))
      await ground.release.rolledOut()
    })

    test('an upgrade replaces every pod, and no request fails', async () => {
      const load = await startChartLoad(client, token, { project, session, root: ground.root }, () =>
        ground.ingress.open().join(', '),
      )
      await ground.release.apply(await ground.render('two'), 'pre-upgrade')
      await ground.release.rolledOut()
      const { turns, pushes, wrong } = await load.stop()
      console.info(`${ground.ingress.asked()} requests, ${turns} turns, ${pushes} pushes`)
      expect(ground.ingress.failed).toEqual([])
      expect(wrong).toEqual([])
      expect(Math.min(turns, pushes)).toBeGreaterThan(2)
      expect(new Set(await running())).toEqual(new Set(['svc-chart:two']))
    })

    test('pods that are evicted in the middle of a turn lose nothing, one of a service at a time', async () => {
      const { project_id, session_id } = session
      const { prompt_id } = await client.projects.sessions.prompt(project_id, session_id, {
        text: script(bash('sleep 20; echo done')),
      })
      await awaitEvent(client, session, 'the command runs', commandRuns('sleep 20'))
      for (const service of doubled) {
        const [first = {}, second = {}] = await ground.pods(service)
        await ground.evict(first)
        await expect(ground.evict(second)).rejects.toMatchObject({ code: 429 })
      }
      const turn = await awaitTurn(client, session, { prompt_id })
      expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
      await ground.release.rolledOut()
      expect((await promptAgent(client, session, bash('cat hello.txt'))).outputs.at(-1)).toContain(
        'from the pod',
      )
      expect(ground.ingress.failed).toEqual([])
    })
  })
})
