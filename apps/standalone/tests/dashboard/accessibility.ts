import axe from 'axe-core'
import { expect, test } from 'vitest'
import { declareApp } from './declare-app.ts'
import { at, platform, project, watched } from './world.ts'

const sizes = [
  ['laptop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const

/** Every page in both themes and both sizes: axe finds nothing, and nothing scrolls sideways. */
export function testAccessibility(): void {
  test.each(sizes)(
    'on a %s no page has a fault that axe finds, and none scrolls sideways',
    async (_, viewport) => {
      const { page } = watched
      const { items } = await platform.client.projects.sessions.list(project.project_id)
      const [commit] = (await platform.client.projects.commits.list(project.project_id)).items
      const { reviews } = platform.client.projects
      const words = { title: 'The words', summary: 'Shorter.', files: ['svc.yaml'] }
      const review = await reviews.submit(project.project_id, words)
      await declareApp()
      const hook = { url: `${platform.origin}/hook`, types: ['cr.*'] }
      const { subscription_id } = await platform.client.events.subscriptions.create(project, hook)
      const dashboard = (path: string) => `${platform.origin}/dashboard${path}`
      const account = `/accounts/${project.account_id}`
      const pages = [
        ...[
          '/',
          '/projects',
          '/projects/new',
          '/account/profile',
          '/account/tokens',
          '/account/apps',
          '/account/browsers',
          '/invitations',
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
          ...['', '?tab=budgets', '?tab=calls', '?tab=models', '?tab=providers'].map(
            (tab) => `/models${tab}`,
          ),
          '/apps',
          '/apps/site',
          '/connectors',
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
        dashboard('/enter-app?host=none.localhost'),
        dashboard('/no-such-page'),
      ]
      await page.setViewportSize(viewport)
      const faults: string[] = []
      for (const address of pages) {
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        // What the page loads for itself is there, whatever else goes on: a stream of events never ends.
        await expect.poll(() => loading().count()).toBe(0)
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(wide) > 0) faults.push(`${address} scrolls sideways by ${String(wide)}`)
        await page.evaluate(axe.source)
        // Themes differ in their colours alone.
        for (const [colorScheme, rules] of [
          ['light', ''],
          ['dark', "{ runOnly: ['color-contrast'] }"],
        ] as const) {
          await page.emulateMedia({ colorScheme })
          const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
            `axe.run(${rules}).then(({ violations }) => violations)`,
          )
          faults.push(
            ...found.map(
              ({ id, nodes }) => `${address} ${colorScheme} ${id}: ${nodes[0]?.html.slice(0, 160)}`,
            ),
          )
        }
      }
      await page.emulateMedia({ colorScheme: null })
      await page.setViewportSize({ width: 1280, height: 800 })
      await reviews.withdraw(project.project_id, review.review_id)
      expect([...new Set(faults.map((fault) => fault.replace(platform.origin, '')))]).toEqual([])
    },
  )
}

const loading = () => watched.page.getByRole('status').filter({ hasText: 'Loading' })
