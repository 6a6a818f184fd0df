import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeOnCluster } from '@svc/sandbox/testing/cluster'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppPushes, openAppPushes, visitApp } from '../support/platform/app-pushes.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { type Registry, startRegistry } from '../support/platform/registry.ts'
import { waitFor } from '../support/wait-for.ts'

const busybox = process.env.SVC_TEST_BUSYBOX ?? '/bin/busybox'
/** Nothing but one program: whatever runs it finds no shell, no libc and no Node. */
const dockerfile = 'FROM scratch\nCOPY . /www/\nCOPY busybox /bin/busybox\n'
const command = `[/bin/busybox, httpd, -f, -p, '80', -h, /www]`
const server = `import { createServer } from 'node:http'
createServer((request, response) => response.end('a bundle')).listen(process.env.PORT)
`
const names = ['bundled', 'built', 'fetched'] as const

/** The whole platform beside a cluster, as `npm run test:kubernetes` makes one. */
describeOnCluster('apps in pods', (cluster) => {
  describe('apps of a project, in pods of a cluster', () => {
    let place: Place
    let platform: Platform
    let registry: Registry
    let project_id: string
    let app: AppPushes
    let image: string
    let urls: Record<string, string>

    const publish = async (page: string) => {
      const context = join(place.root, 'published')
      await mkdir(context, { recursive: true })
      await copyFile(busybox, join(context, 'busybox'))
      await writeFile(join(context, 'index.html'), page)
      await writeFile(join(context, 'Dockerfile'), dockerfile)
      await registry.publish(image, context, cluster.engine_url)
    }
    const pods = async () => {
      const { admin, namespace } = cluster
      const labelSelector = 'app.kubernetes.io/name=svc-program'
      const { items } = await admin.listNamespacedPod({ namespace, labelSelector })
      return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    }
    const shows = (name: string, page: string) =>
      waitFor(`${name} shows ${page}`, async () => (await visitApp(urls[name] ?? '')) === page)

    beforeAll(async () => {
      place = await makeBegunPlace()
      registry = await startRegistry(join(place.root, 'registry'))
      image = registry.imageOf('site:1')
      const { host } = new URL(`http://${image}`)
      const { port } = new URL(place.origin)
      platform = await startOn(place, {
        SVC_SANDBOX_PROVIDER: 'kubernetes',
        SVC_DEPLOYMENT: `apps-${port}`,
        // For pods, and for visitors of this machine.
        SVC_HOST: '0.0.0.0',
        SVC_PUBLIC_URL: `http://${cluster.host_address}:${port}`,
        SVC_KUBERNETES_KUBECONFIG: cluster.kubeconfig,
        SVC_KUBERNETES_IMAGE: cluster.complete_image,
        SVC_KUBERNETES_PLATFORM: `${cluster.host_address}/32`,
        SVC_KUBERNETES_MEMORY_MB: '512',
        SVC_APPS_REGISTRY: `http://${host}/apps`,
        SVC_APPS_ENGINE: cluster.engine_url,
        SVC_WARM_POOL_SIZE: '0',
      })
      await publish('fetched one')
      const project = await platform.client.projects.provision({ name: 'Pods' })
      ;({ project_id } = project)
      const cwd = join(place.root, 'home/app')
      app = await openAppPushes(platform.client, project, { token: project.push_token ?? '', cwd })
      await mkdir(join(cwd, 'page'))
      await copyFile(busybox, join(cwd, 'page/busybox'))
    })
    afterAll(async () => {
      for (const name of names) await platform?.client.projects.apps.stop(project_id, name)
      await waitFor('no pod is left', async () => (await pods()).length === 0)
      await registry?.stop()
      await platform?.stop()
      await place?.remove()
    })

    test('are built, pushed and fetched by a merge, and shown', async () => {
      const small = 'resources: { cpu: 1, memory_gb: 1, disk_gb: 1 }'
      await app.merge(
        {
          'bundle/main.mjs': server,
          'page/Dockerfile': dockerfile,
          'page/index.html': 'built one',
        },
        `  bundled: { type: bundle, root: bundle, command: [node, main.mjs], ${small} }
  built: { type: dockerfile, root: page, dockerfile: page/Dockerfile, command: ${command}, port: 80, ${small} }
  fetched: { type: oci_image, image: '${image}', command: ${command}, port: 80, ${small} }\n`,
      )
      urls = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await app.live(name)])))
      await shows('bundled', 'a bundle')
      await shows('built', 'built one')
      await shows('fetched', 'fetched one')
      expect(await pods()).toHaveLength(3)
      for (const name of ['built', 'fetched']) {
        const { artifact } = await platform.client.projects.apps.getRelease(project_id, name, 1)
        expect(artifact).toMatchObject({
          kind: 'image',
          digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        })
      }
    })

    test('run nothing while they sleep, and answer the request that woke them with the release that they were', async () => {
      // The name leads elsewhere from here on; a release stays with the digest that it was made with.
      await publish('fetched two')
      const { apps } = platform.client.projects
      for (const name of names) await apps.stop(project_id, name)
      await waitFor('nothing runs', async () => (await pods()).length === 0)
      for (const name of names) await apps.start(project_id, name)
      const held = await Promise.all(names.map((name) => visitApp(urls[name] ?? '')))
      expect(held).toEqual(['a bundle', 'built one', 'fetched one'])
    })
  })
})
