import { once } from 'node:events'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Client, Project } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { waitFor } from '../wait-for.ts'

/** A program of an app: it answers with the variable WORD and the number of its release. */
export const greeter = `require('node:http')
  .createServer((request, response) => response.end(process.env.WORD + ' ' + process.env.SVC_RELEASE))
  .listen(process.env.PORT)
`

/** The page of an app, whose host is this machine; by the proxy of its address unless it is another's port. */
export async function visitApp(url: string, proxy?: string): Promise<string> {
  const { host, port } = new URL(url)
  const asked = request({ port: proxy ?? port, host: '127.0.0.1', headers: { host }, agent: false }).end()
  const [answer] = await once(asked, 'response')
  return text(answer)
}

export interface AppPushes {
  /** Files by their paths, committed and pushed to the default branch; entries of the manifest's `apps` are added. */
  push(files: Readonly<Record<string, string>>, entries?: string): Promise<void>
  /** The same by a change request that is merged. */
  merge(files: Readonly<Record<string, string>>, entries?: string): Promise<void>
  /** Waits until a release of it is shown, and lets all visitors in: its address. */
  live(name: string): Promise<string>
}

/** A clone of a project from which apps are pushed. */
export async function openAppPushes(
  { projects: { apps, changeRequests, features } }: Client,
  { project_id, repo_url }: Project,
  { token, cwd }: { token: string; cwd: string },
): Promise<AppPushes> {
  await features.set(project_id, { apps: true })
  await git(['clone', '--quiet', repo_url, cwd], { token })
  await appendFile(join(cwd, 'svc.yaml'), 'apps:\n')
  const commit = async (files: Readonly<Record<string, string>>, entries: string) => {
    await appendFile(join(cwd, 'svc.yaml'), entries)
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true })
      await writeFile(join(cwd, path), content)
    }
    await git(['add', '--all'], { cwd })
    await git(['commit', '--quiet', '--message', Object.keys(files).join(', ')], { cwd })
  }
  return {
    push: async (files, entries = '') => {
      await commit(files, entries)
      await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd, token })
    },
    merge: async (files, entries = '') => {
      await commit(files, entries)
      const head_ref = `apps-${(await git(['rev-parse', 'HEAD'], { cwd })).slice(0, 12)}`
      await git(['push', '--quiet', 'origin', `HEAD:refs/heads/${head_ref}`], { cwd, token })
      const { cr_id } = await changeRequests.create(project_id, { title: 'Change apps', head_ref })
      await changeRequests.merge(project_id, cr_id)
      await git(['pull', '--quiet', '--ff-only', 'origin', 'main'], { cwd, token })
    },
    live: async (name) => {
      await waitFor(`${name} is live`, async () => {
        const found = await apps.get(project_id, name).catch(() => null)
        if (found?.latest_release?.status === 'failed') throw new Error(found.latest_release.failure?.message)
        return found !== null && found.current_release !== null
      })
      return (await apps.update(project_id, name, { access_mode: 'public' })).url ?? ''
    },
  }
}
