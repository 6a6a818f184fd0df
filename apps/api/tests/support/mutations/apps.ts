import type { JobContext } from '@svc/context'
import { reconcileApps, runRelease } from '@svc/apps/work'
import { commit } from '@svc/git/testing'
import { ask, inProject, type Prepare, type RequestInputs, some, type Stage } from './prepare.ts'

const manifest = 'svc_version: 2\napps:\n  site: { type: static, path: site }\n'

/** A project of its own whose apps are switched on. */
async function withApps(stage: Stage) {
  const made = await ask(stage, 'POST', '/v1/projects/provision', { name: some() })
  const project_id = made.pick('project_id')
  const own = { ...stage, objects: { ...stage.objects, project_id } }
  await ask(own, 'PATCH', `${inProject(own)}/features`, { apps: true })
  const write = (branch: string, page: string) =>
    commit(
      { git_dir: stage.platform.gitDir(project_id) },
      branch,
      { 'svc.yaml': manifest, 'site/index.html': page },
      page,
      { from: 'main' },
    )
  return { own, project_id, write }
}

/** With an open change request that declares one. */
async function proposedApp(stage: Stage) {
  const { own, project_id, write } = await withApps(stage)
  await write('two', 'Two')
  const made = await ask(own, 'POST', `${inProject(own)}/change-requests`, { title: some(), head_ref: 'two' })
  return { own, ids: { project_id, app: 'site', cr_id: made.pick('cr_id') } }
}

/** Its preview, which makes the app known before it is merged. */
async function app(stage: Stage): Promise<RequestInputs> {
  const { own, ids } = await proposedApp(stage)
  await ask(own, 'POST', `${inProject(own)}/apps/site/releases`, { cr_id: ids.cr_id })
  return { ids }
}

const stoppedApp: Prepare = async (stage) => {
  const made = await app(stage)
  await ask(stage, 'POST', `/v1/projects/${made.ids?.['project_id']}/apps/site/stop`)
  return made
}

/** One that showed two releases of the default branch. */
const servingApp: Prepare = async (stage) => {
  const { project_id, write } = await withApps(stage)
  for (const page of ['One', 'Two']) {
    await write('main', page)
    const owed: { release_id: string }[] = []
    const ctx = working(stage, async (_queue, _name, ids) => void owed.push(Object(ids)))
    await reconcileApps(ctx, { project_id })
    for (const release of owed) await runRelease(ctx, release)
  }
  return { ids: { project_id, app: 'site' } }
}

function working({ platform: { parts } }: Stage, enqueue: JobContext['enqueue']): JobContext {
  return { ...parts, enqueue, locks: parts.db, signal: new AbortController().signal }
}

const hostOfApp: Prepare = async (stage) => {
  const { ids } = await servingApp(stage)
  const project = await ask(stage, 'GET', `/v1/projects/${ids?.['project_id']}/apps/site`)
  return { body: { host: new URL(project.pick('app.url')).host } }
}

export const appMutations: Readonly<Record<string, Prepare>> = {
  updateApp: async (stage) => ({ ...(await app(stage)), body: { max_concurrency: 7 } }),
  stopApp: app,
  startApp: stoppedApp,
  releaseApp: async (stage) => {
    const { ids } = await proposedApp(stage)
    return { ids, body: { cr_id: ids.cr_id } }
  },
  cancelAppRelease: async (stage) => {
    const { ids } = await app(stage)
    return { ids: { ...ids, number: '1' } }
  },
  removeAppPreview: app,
  rollbackApp: async (stage) => ({ ...(await servingApp(stage)), body: { number: 1, expected_current: 2 } }),
  enterApp: hostOfApp,
}
