import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../support/clients/git.ts'
import { type AppPushes, openAppPushes, visitApp } from '../support/platform/app-pushes.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { hasRegistry, type Registry, startRegistry } from '../support/platform/registry.ts'
import { output } from '../support/platform/run.ts'
import { waitFor } from '../support/wait-for.ts'

const { SVC_TEST_DOCKER_SOCKET: socket, SVC_TEST_DOCKER_IMAGE: base = '', CI } = process.env
const busybox = process.env.SVC_TEST_BUSYBOX ?? '/bin/busybox'
const ready = socket !== undefined && hasRegistry
const how =
  'start an engine with infra/ci/start-docker.mjs, and install a registry with infra/ci/install-test-tools.sh'
if (!ready && !CI) console.warn(`Skipped: apps that are images; ${how}`)

test.runIf(CI)('CI has a Docker engine and a registry', () => {
  expect(ready, how).toBe(true)
})

/** Nothing but one program: whatever runs it finds no shell, no libc and no Node. */
const dockerfile = 'FROM scratch\nCOPY . /www/\nCOPY busybox /bin/busybox\n'
const command = `[/bin/busybox, httpd, -f, -p, '80', -h, /www]`
const names = ['built', 'fetched'] as const

describe.runIf(ready)('apps that are images', () => {
  const docker_host = `unix://${socket}`
  let place: Place
  let platform: Platform
  let registry: Registry
  let project_id: string
  let cwd: string
  let token: string
  let app: AppPushes
  let image: string
  let urls: Record<(typeof names)[number], string>

  /** An image under the same name each time. */
  const publish = async (page: string) => {
    const context = join(place.root, 'published')
    await mkdir(context, { recursive: true })
    await copyFile(busybox, join(context, 'busybox'))
    await writeFile(join(context, 'index.html'), page)
    await writeFile(join(context, 'Dockerfile'), dockerfile)
    await registry.publish(image, context, docker_host)
  }

  beforeAll(async () => {
    place = await makeBegunPlace({
      SVC_SANDBOX_PROVIDER: 'docker',
      SVC_DOCKER_HOST: docker_host,
      SVC_DOCKER_IMAGE: base,
      SVC_SANDBOX_EGRESS: 'platform',
      SVC_WARM_POOL_SIZE: '0',
    })
    registry = await startRegistry(join(place.root, 'registry'))
    platform = await startOn(place)
    image = registry.imageOf('site:1')
    await publish('fetched one')
    const project = await platform.client.projects.provision({ name: 'Images' })
    ;({ project_id } = project)
    token = project.push_token ?? ''
    cwd = join(place.root, 'home/app')
    app = await openAppPushes(platform.client, project, { token, cwd })
    await mkdir(join(cwd, 'page'))
    await copyFile(busybox, join(cwd, 'page/busybox'))
  })
  afterAll(async () => {
    // The platform's end is to find nothing that runs in its folder.
    await registry?.stop()
    await platform?.stop()
    await place?.remove()
  })

  const appOf = (name: string) => platform.client.projects.apps.get(project_id, name)
  const shows = (url: string, page: string) =>
    waitFor(`it shows ${page}`, async () => (await visitApp(url)) === page)
  /** Containers of this platform's apps: none of another's on the same engine. */
  const running = async () => {
    const format = ['ps', '--format', '{{.Label "svc.deployment"}} {{.Mounts}}', '--no-trunc']
    const lines = await output('docker', format, { env: { DOCKER_HOST: docker_host } })
    return lines.split('\n').filter((line) => line.includes('-apps-') && line.includes(place.root)).length
  }

  test('are built and fetched by a merge, and shown', async () => {
    await app.merge(
      { 'page/Dockerfile': dockerfile, 'page/index.html': 'built one' },
      `  built: { type: dockerfile, root: page, dockerfile: page/Dockerfile, command: ${command}, port: 80 }
  fetched: { type: oci_image, image: '${image}', command: ${command}, port: 80, env: { ROUND: one } }\n`,
    )
    const [built, fetched] = await Promise.all([app.live('built'), app.live('fetched')])
    urls = { built, fetched }
    for (const name of names) await shows(urls[name], `${name} one`)
    expect(await running()).toBe(2)
    const { artifact } = await platform.client.projects.apps.getRelease(project_id, 'fetched', 1)
    expect(artifact).toMatchObject({
      kind: 'image',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
  })

  test('run nothing while they sleep, and answer the request that woke them with the release that they were', async () => {
    // The name leads elsewhere from here on; a release stays with the digest that it was made with.
    await publish('fetched two')
    const { apps } = platform.client.projects
    for (const name of names) await apps.stop(project_id, name)
    await waitFor('nothing runs', async () => (await running()) === 0)
    for (const name of names) await apps.start(project_id, name)
    for (const name of names) expect((await appOf(name)).state).toBe('asleep')
    // Both are held, and answered by what they woke: neither is refused, and neither has to ask again.
    const held = await Promise.all(names.map((name) => visitApp(urls[name])))
    expect(held).toEqual(['built one', 'fetched one'])
    expect(await running()).toBe(2)
  })

  test('move on with the next merge, and back', async () => {
    const text = await readFile(join(cwd, 'svc.yaml'), 'utf8')
    await app.merge({
      'svc.yaml': text.replace('ROUND: one', 'ROUND: two'),
      'page/index.html': 'built two',
    })
    for (const name of names) await shows(urls[name], `${name} two`)
    for (const name of names) await platform.client.projects.apps.rollback(project_id, name, {})
    for (const name of names) await shows(urls[name], `${name} one`)
    for (const name of names) expect((await appOf(name)).current_release?.number).toBe(1)
  })

  test('leave nothing behind when their entries go', async () => {
    const manifest = join(cwd, 'svc.yaml')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.slice(0, text.indexOf('apps:')))
    await git(['commit', '--quiet', '--all', '--message', 'No apps'], { cwd })
    await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd, token })
    for (const name of names)
      await waitFor('it is gone', async () => (await visitApp(urls[name])).includes('app_not_found'))
    await waitFor('nothing runs', async () => (await running()) === 0)
  })
})
