import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../support/clients/git.ts'
import { waitFor } from '../support/wait-for.ts'
import { platform, project } from './world.ts'

/** Pushes an app to the default branch, unless that was done, and waits for its first release. */
export async function declareApp(): Promise<void> {
  const { client, token, place } = platform
  const { project_id, repo_url } = project
  await client.projects.features.set(project_id, { apps: true })
  if ((await client.projects.apps.list(project_id)).apps.length > 0) return
  const cwd = join(place.root, 'app')
  await git(['clone', '--quiet', repo_url, cwd], { token })
  await mkdir(join(cwd, 'site'))
  await writeFile(join(cwd, 'site/index.html'), '<h1>Site</h1>')
  await appendFile(join(cwd, 'svc.yaml'), 'apps:\n  site: { type: static, path: site }\n')
  await git(['add', '--all'], { cwd })
  await git(['commit', '--quiet', '--message', 'Declare an app'], { cwd })
  await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd, token })
  await waitFor('the app is released', async () => {
    const { apps } = await client.projects.apps.list(project_id)
    return apps.some(({ state }) => state === 'serving')
  })
}
