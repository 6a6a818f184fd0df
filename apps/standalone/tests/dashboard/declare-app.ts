import { waitFor } from '../support/wait-for.ts'
import { declare } from './declare.ts'
import { platform, project } from './world.ts'

/** Pushes an app to the default branch, unless that was done, and waits for its first release. */
export async function declareApp(): Promise<void> {
  const { client } = platform
  const { project_id } = project
  await client.projects.features.set(project_id, { apps: true })
  if ((await client.projects.apps.list(project_id)).apps.length > 0) return
  await declare('apps:\n  site: { type: static, path: site }\n', { 'site/index.html': '<h1>Site</h1>' })
  await waitFor('the app is released', async () => {
    const { apps } = await client.projects.apps.list(project_id)
    return apps.some(({ state }) => state === 'serving')
  })
}
