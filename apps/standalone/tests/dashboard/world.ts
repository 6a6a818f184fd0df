import type { MintedToken, Project } from '@svc/sdk'
import { startChromium, type Watched, watchedPage } from '../../../api/tests/support/chromium.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { startWrongRegistry, type WrongRegistry } from '../support/platform/wrong-registry.ts'

let registry: WrongRegistry | undefined
let browser: Awaited<ReturnType<typeof startChromium>>
export let platform: Platform
export let project: Project
export let watched: Watched
export let minted: MintedToken

/** The address of a page of the project. */
export const at = (path: string) => `${platform.origin}/dashboard/projects/${project.project_id}${path}`

export async function start(): Promise<void> {
  // No install of a harness succeeds, and none leaves this machine.
  registry = await startWrongRegistry('pi-acp')
  ;[platform, browser] = await Promise.all([
    // One place, so that a second session has to wait for the first.
    startPlatform({
      SVC_SESSION_CAP: '1',
      SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8',
      SVC_HARNESS_AUTH: 'gateway,secrets',
      npm_config_userconfig: registry.userconfig,
    }),
    startChromium(),
  ])
  ;[project, watched, minted] = await Promise.all([
    piProject(platform.client, platform.token, 'Pages'),
    watchedPage(browser),
    platform.client.tokens.create({ name: 'dashboard' }),
  ])
  await platform.client.projects.triggers.create(project.project_id, {
    slug: 'by-hand',
    type: 'cron',
    cron: '0 0 9 1 1 *',
    prompt: '{{ message.text }}',
    agent: 'helper',
  })
}

/** A page in a browser of its own, where nobody is signed in. */
export async function newPage(): Promise<Watched['page']> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(60_000)
  return page
}

export async function close(): Promise<void> {
  await browser?.close()
  await platform?.stop()
  await registry?.close()
}

/** By the menu of the account, as a person does. */
export async function signOut(): Promise<void> {
  const { page } = watched
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Everything that a script of the page can read of what its browser keeps. */
export const stored = () =>
  watched.page.evaluate<string>(
    'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
  )
