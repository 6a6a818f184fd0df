import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projects, sessions, triggerCatalogues, triggers } from '@svc/db'
import type { Repository } from '@svc/git'
import { commit, makeRepository, startGitServer, testGit, type TestRepository } from '@svc/git/testing'
import { afterAll, expect, test } from 'vitest'
import {
  connectProject,
  fireTrigger,
  listTriggers,
  refreshCatalogue,
  refreshDueCatalogues,
  startTriggerScheduler,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { fireAll, ledger, look, manifestOf, projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
const host = await startGitServer({ root: folder })
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})
const minutes = 60_000
const entry = (slug: string) => `  - { slug: ${slug}, type: cron, cron: '0 0 * * * *', prompt: go }\n`
const manifest = (...slugs: string[]) => manifestOf(slugs.map(entry).join(''))

interface Connected {
  readonly remote: TestRepository
  readonly url: string
  readonly project_id: string
}

async function connected(): Promise<Connected> {
  const name = `${world.base.newId()}.git`
  const remote = await makeRepository({
    git_dir: join(folder, name),
    files: { 'svc.yaml': manifest('first'), 'a.txt': 'a\n' },
  })
  await testGit(['config', 'http.receivepack', 'true'], { git_dir: remote.git_dir })
  const ctx = world.as((await addOwner(world)).principal)
  const { project_id } = await connectProject(ctx, { name, repo_url: host.url(name) })
  return { remote, url: host.url(name), project_id }
}

const slugs = async (project_id: string) =>
  (await triggers.list(world.db, project_id)).map((trigger) => trigger.slug)

/** Looks as a scheduler does by the clock, and keeps what it asked the repository for. */
async function poll() {
  const asked: string[] = []
  const { repositories } = world.base
  const watched = (repository: Repository): Repository => ({
    ...repository,
    objects: new Proxy(repository.objects, {
      get: (target, key) =>
        key === 'of'
          ? async (git_dir: string) => {
              const reader = await target.of(git_dir)
              return (
                reader &&
                new Proxy(reader, {
                  get: (inner, name) =>
                    name === 'ask'
                      ? (questions: Parameters<typeof inner.ask>[0]) => {
                          asked.push(...questions.map((question) => `${question.command} ${question.name}`))
                          return inner.ask(questions)
                        }
                      : Reflect.get(inner, name),
                })
              )
            }
          : Reflect.get(target, key),
    }),
  })
  const counting = new Proxy(repositories, {
    get: (target, key) =>
      key === 'open'
        ? async (...args: Parameters<typeof repositories.open>) => watched(await target.open(...args))
        : Reflect.get(target, key),
  })
  const before = host.requests.length
  const looked = await refreshDueCatalogues(world.worker({ repositories: counting }), 10)
  const requests = host.requests.slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  return { looked, contents: asked.filter((question) => question.startsWith('contents')), requests }
}

test('the triggers of a connected repository follow a push, by a listing of its refs every five minutes', async () => {
  const { remote, url, project_id } = await connected()
  const path = new URL(url).pathname
  // Connecting is told of; from then on the clock decides.
  expect(await poll()).toMatchObject({ looked: 1 })
  expect(await slugs(project_id)).toEqual(['first'])
  expect((await poll()).looked).toBe(0)

  world.clock.advance(5 * minutes)
  const idle = await poll()
  expect(idle).toEqual({
    looked: 1,
    contents: [],
    requests: [`GET ${path}/info/refs`, `POST ${path}/git-upload-pack`],
  })

  // A push from elsewhere.
  const clone = join(folder, `${world.base.newId()}-clone.git`)
  await testGit(['clone', '-q', '--bare', url, clone])
  await commit({ git_dir: clone }, 'main', { 'svc.yaml': manifest('first', 'second') }, 'Add a trigger')
  await testGit(['push', '-q', url, 'main'], { git_dir: clone })
  world.clock.advance(5 * minutes)
  const changed = await poll()
  expect(changed.contents).not.toEqual([])
  expect(await slugs(project_id)).toEqual(['first', 'second'])

  // Another commit with the same manifest: its tip is seen, and nothing of it is read.
  await commit(remote, 'main', { 'a.txt': 'b\n' }, 'Something else')
  world.clock.advance(5 * minutes)
  expect(await poll()).toMatchObject({ looked: 1, contents: [] })
  const catalogue = await triggerCatalogues.find(world.db, project_id)
  expect(catalogue?.tip_sha).toBe(await remote.tip('main'))
})

test('what cannot be reached keeps its triggers, and is asked ever less often', async () => {
  const { project_id } = await connected()
  await poll()
  host.answer = (_request, response) => {
    response.writeHead(503).end()
    return true
  }
  const waits: number[] = []
  for (let failure = 0; failure < 3; failure += 1) {
    world.clock.advance(60 * minutes)
    await refreshDueCatalogues(world.worker(), 10)
    const row = await triggerCatalogues.find(world.db, project_id)
    waits.push(Number(row?.check_at) - world.clock.now().getTime())
  }
  host.answer = null
  expect(waits).toEqual([30_000, 60_000, 120_000])
  expect(await slugs(project_id)).toEqual(['first'])
  world.clock.advance(2 * minutes)
  await poll()
  expect(await triggerCatalogues.find(world.db, project_id)).toMatchObject({ failures: 0 })
})

test('the errors of an entry go with the entry, and the others fire', async () => {
  const { remote, project_id } = await connected()
  await poll()
  await commit(
    remote,
    'main',
    { 'svc.yaml': `${manifest('first')}  - { slug: bad, type: cron }\n` },
    'Break one',
  )
  world.clock.advance(5 * minutes)
  await poll()
  expect(await triggerCatalogues.find(world.db, project_id)).toMatchObject({
    errors: [
      { slug: 'bad', path: 'triggers[1].prompt' },
      { slug: 'bad', path: 'triggers[1].cron' },
    ],
  })
  expect(await slugs(project_id)).toEqual(['first'])
  await commit(remote, 'main', { 'svc.yaml': manifest('first', 'bad') }, 'Mend it')
  world.clock.advance(5 * minutes)
  await poll()
  expect(await triggerCatalogues.find(world.db, project_id)).toMatchObject({ errors: [] })
})

test('a scheduler that is told to end hands over what it was looking at', async () => {
  const project = await projectWith(world, entry('kept'))
  const { project_id } = project
  await world.db.updateTable('trigger_catalogues').set({ check_at: world.clock.now() }).execute()
  const { repositories } = world.base
  let opened = () => {}
  const opening = new Promise<void>((resolve) => (opened = resolve))
  const hanging = new Proxy(repositories, {
    get: (target, key) =>
      key === 'open'
        ? (_of: unknown, options: { signal?: AbortSignal } = {}) =>
            new Promise((_resolve, reject) => {
              const leave = () => reject(new Error('aborted'))
              if (options.signal?.aborted) leave()
              options.signal?.addEventListener('abort', leave)
              opened()
            })
        : Reflect.get(target, key),
  })
  const scheduler = startTriggerScheduler(
    { ...world.base, repositories: hanging },
    { interval_ms: 60_000, catch_up_ms: 3_600_000 },
  )
  await opening
  const claimed = await triggerCatalogues.find(world.db, project_id)
  expect(Number(claimed?.check_at)).toBeGreaterThan(world.clock.now().getTime())
  await scheduler.close()
  // Nothing has to run out first: the next scheduler has it at once.
  expect((await triggerCatalogues.find(world.db, project_id))?.check_at).toEqual(world.clock.now())
  await world.db.updateTable('project_triggers').set({ position: 77 }).execute()
  const looks = await refreshDueCatalogues(world.worker(), 100)
  expect(looks).toBeGreaterThan(0)
  expect(Number((await triggerCatalogues.find(world.db, project_id))?.check_at)).toBeGreaterThan(
    world.clock.now().getTime(),
  )
})

test('two looks at once end with the newer branch', async () => {
  const project = await projectWith(world, entry('old'))
  const row = await projects.find(world.db, project.project_id)
  if (!row) throw new Error('There is no such project')
  await project.commit('main', { 'svc.yaml': manifest('new') }, 'Change it')
  await Promise.all([1, 2, 3].map(() => refreshCatalogue(world.worker(), row)))
  expect((await listTriggers(project.ctx, project)).triggers.map(({ slug }) => slug)).toEqual(['new'])
})

test('the sessions of a trigger know the runtime that the manifest names, before its repository is there', async () => {
  const project = await projectWith(world, entry('first'))
  const runtimes = async () => {
    world.clock.advance(60 * minutes)
    await fireAll(world)
    const { project_id } = project
    const { sessions: opened } = await sessions.list(world.db, { project_id, limit: 10, origin: 'trigger' })
    return opened.map(({ requested }) => requested.runtime)
  }
  expect(await runtimes()).toEqual([undefined])
  await project.commit('main', { 'svc.yaml': `runtime: pi\n${manifest('first')}` }, 'Take the other runtime')
  await look(world, project)
  expect(await runtimes()).toEqual(['pi', undefined])
})

test('a trigger whose template no provider can make does not fire, and its ledger says why', async () => {
  const project = await projectWith(world, entry('first'))
  const templates = 'sandbox: { default: tools, templates: [{ slug: tools, image: debian:12 }] }\n'
  await project.commit('main', { 'svc.yaml': `${templates}${manifest('first')}` }, 'Ask for an image')
  await look(world, project)
  const { project_id } = project
  const ctx = world.as(project.ctx.principal, {
    template_refusal: ({ slug, image }) =>
      `The template ${slug} names ${image}, and the provider process runs none.`,
  })
  await expect(fireTrigger(ctx, { project_id, slug: 'first' })).rejects.toMatchObject({
    code: 'TRIGGER_CANNOT_FIRE',
    message: expect.stringContaining('The template tools names debian:12, and the provider process'),
  })
  expect(await ledger(world, project, 'first')).toMatchObject([
    { status: 'failed', reason: expect.stringContaining('the provider process') },
  ])
  expect(await fireTrigger(project.ctx, { project_id, slug: 'first' })).toMatchObject({ status: 'fired' })
})
