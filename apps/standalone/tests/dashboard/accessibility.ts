import { readFile } from 'node:fs/promises'
import axe from 'axe-core'
import { expect, test } from 'vitest'
import { declareApp } from './declare-app.ts'
import { pagesOfServices } from './visits/of-services.ts'
import { at, platform, project, watched } from './world.ts'

const laptop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Every page in both themes and both sizes: axe finds nothing, and nothing scrolls sideways. */
export function testAccessibility(): void {
  test('on a laptop and on a phone no page has a fault that axe finds, and none scrolls sideways', async () => {
    const { page } = watched
    const { items } = await platform.client.projects.sessions.list(project.project_id)
    const [commit] = (await platform.client.projects.commits.list(project.project_id)).items
    const { reviews } = platform.client.projects
    const words = { title: 'The words', summary: 'Shorter.', files: ['svc.yaml'] }
    const review = await reviews.submit(project.project_id, words)
    await declareApp()
    const hook = { url: `${platform.origin}/hook`, types: ['cr.*'] }
    const { subscription_id } = await platform.client.events.subscriptions.create(project, hook)
    const { subscription_id: of_account } = await platform.client.events.subscriptions.create(
      { account_id: project.account_id },
      { url: hook.url, types: ['cr.*'] },
    )
    const dashboard = (path: string) => `${platform.origin}/dashboard${path}`
    const account = `/accounts/${project.account_id}`
    const pages = [
      ...[
        '/',
        '/notifications',
        '/notifications/settings',
        '/projects',
        '/projects/new',
        '/account/profile',
        '/account/tokens',
        '/account/apps',
        '/account/browsers',
        '/account/senders',
        '/invitations',
        '/link',
        '/reset',
      ].map(dashboard),
      ...[
        '/members',
        '/roles',
        '/service-accounts',
        '/keys',
        '/scim',
        '/domains',
        '/sso',
        '/sign-in',
        '/spend',
        '/spend?tab=budgets',
        '/spend?tab=ledger',
        '/events',
        `/events/${of_account}`,
        '/audit',
        '/settings',
      ].map((part) => dashboard(`${account}${part}`)),
      ...['/sessions', '/sessions/new', `/sessions/${items[0]?.session_id}`].map(at),
      ...['/change-requests', '/change-requests/1', '/change-requests/1?tab=files'].map(at),
      at(`/reviews/${review.review_id}`),
      ...['/triggers', '/triggers/new', '/triggers/by-hand'].map(at),
      ...[
        '/files/',
        '/files/svc.yaml',
        '/commits',
        `/commits/${commit?.sha}`,
        '/manifest',
        ...['', '?tab=budgets', '?tab=calls', '?tab=models', '?tab=providers'].map((tab) => `/models${tab}`),
        '/apps',
        '/apps/site',
        '/connectors',
        '/channels',
        '/channels/new',
        '/channels/new?platform=chat_b',
        '/events',
        `/events/${subscription_id}`,
        '/secrets',
        '/secrets?tab=personal',
        '/secrets?tab=reads',
        '/members',
        '/settings',
      ].map(at),
      ...['', '/accounts', '/harnesses', '/features', '/maintenance', '/checks', '/admins'].map((part) =>
        dashboard(`/admin${part}`),
      ),
      ...(await pagesOfServices()),
      dashboard('/enter-app?host=none.localhost'),
      dashboard('/no-such-page'),
    ]
    expect(unvisited(await readFile(operations, 'utf8'), pages)).toEqual([])
    const faults: string[] = []
    for (const address of pages) {
      await page.setViewportSize(laptop)
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if ((await page.getByText('This page could not be shown').count()) > 0)
        faults.push(`${address} could not be shown`)
      await page.evaluate(axe.source)
      for (const size of [laptop, phone]) {
        await page.setViewportSize(size)
        faults.push(...(await faultsOf(address, size)))
      }
    }
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize({ width: 1280, height: 800 })
    await reviews.withdraw(project.project_id, review.review_id)
    expect([...new Set(faults.map((fault) => fault.replace(platform.origin, '')))]).toEqual([])
  })
}

const operations = new URL('../../../../docs/dashboard-operations.md', import.meta.url)

/** Pages of the list of operations that are none of these addresses. */
function unvisited(list: string, addresses: readonly string[]): string[] {
  const named = [...list.matchAll(/^\| `\w+` +\| `(\/[^`]*)`/gm)].map(([, page = '']) => page)
  expect(named.length).toBeGreaterThan(100)
  const isVisited = (page: string) => {
    const pattern = page
      .replace(/\/\{-\$\w+\}/g, '(?:/[^/?]+)?')
      .replace(/\$\w+/g, '[^/?]+')
      .replace(/\$$/, '.*')
    return addresses.some((address) => new RegExp(`/dashboard${pattern}(?:\\?.*)?$`).test(address))
  }
  return [...new Set(named)].filter((page) => !isVisited(page))
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Faults of the page that is open, at its size. Themes differ in their colours alone. */
async function faultsOf(address: string, { width }: { readonly width: number }): Promise<string[]> {
  const { page } = watched
  const faults: string[] = []
  // Drawn at this size, and what the page loads for itself is there, whatever else goes on: a stream never ends.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  await expect.poll(() => loading().count()).toBe(0)
  const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  if (over > 0) faults.push(`${address} scrolls sideways by ${over} at ${width}`)
  for (const [colorScheme, rules] of [
    ['light', ''],
    ['dark', "{ runOnly: ['color-contrast'] }"],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    const found = await page.evaluate<Violation[]>(`axe.run(${rules}).then(({ violations }) => violations)`)
    const lines = found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
    faults.push(...lines.map((line) => `${address} ${width} ${colorScheme} ${line}`))
  }
  return faults
}

const loading = () => watched.page.getByRole('status').filter({ hasText: 'Loading' })
