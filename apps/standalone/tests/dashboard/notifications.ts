import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { at, platform, project, watched } from './world.ts'

/** The list of what a person was told, their wishes about it, and a push that a browser shows. */
export function testNotifications(): void {
  const dashboard = (path: string) => `${platform.origin}/dashboard${path}`

  test('what happened is told while the page is open, leads to its place, and is read by that', async () => {
    const { page } = watched
    const { notifications, events } = platform.client
    const gone = createServer((_request, response) => response.writeHead(410).end())
    gone.listen(0, '127.0.0.1')
    await once(gone, 'listening')
    afterAll(() => void gone.close())
    const { port } = Object(gone.address())

    await page.goto(dashboard('/notifications'))
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(async () => (await notifications.list({ unread: 'true' })).unread_count).toBe(0)
    const url = `http://127.0.0.1:${port}/hook`
    const { subscription_id } = await events.subscriptions.create(project, {
      url,
      types: ['cr.*'],
      name: 'Gone',
    })
    await events.subscriptions.ping(project, subscription_id)
    const list = page.getByRole('list', { name: 'Notifications' })
    const row = list
      .getByRole('listitem')
      .filter({ hasText: 'Is told of no event any more: its receiver answered 410' })
    await row.getByText('Unread').waitFor()
    await row.getByRole('link', { name: 'Gone' }).click()
    await page.getByRole('heading', { name: 'Gone', exact: true }).waitFor()
    expect(page.url()).toBe(at(`/events/${subscription_id}`))
    await expect.poll(async () => (await notifications.list({ unread: 'true' })).unread_count).toBe(0)
    await events.subscriptions.delete(project, subscription_id)
  })

  test('a person chooses the ways of each kind, and how much of a project they hear', async () => {
    const { page } = watched
    const { notifications } = platform.client
    await page.goto(dashboard('/notifications/settings'))
    await page.getByRole('checkbox', { name: 'A change request was merged: Mail' }).check()
    await expect.poll(async () => (await notifications.settings()).kinds.cr_merged.email).toBe(true)
    await page.reload()
    await page.getByRole('checkbox', { name: 'A change request was merged: Mail', checked: true }).waitFor()
    await page.goto(at('/settings'))
    await page.getByRole('group', { name: 'Tell me of' }).getByText('Everything').click()
    await expect.poll(async () => (await notifications.watched(project.project_id)).level).toBe('all')
    await page.getByRole('group', { name: 'Tell me of' }).getByText('My own part').click()
    await expect.poll(async () => (await notifications.watched(project.project_id)).level).toBe('mine')
  })

  test('a box changes at once, and goes back with the reason where the platform refuses it', async () => {
    const { page } = watched
    await page.goto(dashboard('/notifications/settings'))
    const box = (name: string) => page.getByRole('checkbox', { name })
    const answers: (() => void)[] = []
    const settings = '**/v1/notifications/settings'
    await page.route(settings, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await new Promise<void>((answer) => answers.push(answer))
      const refused = { code: 'forbidden', message: 'Ask an admin for it', request_id: 'r' }
      return answers.length === 1 ? route.fulfill({ status: 403, json: refused }) : route.continue()
    })
    const [first, second] = [box('A budget runs out: Mail'), box('A budget runs out: Chat')]
    const shown = async () => [await first.isChecked(), await second.isChecked()]
    const before = await shown()
    await first.click()
    await second.click()
    // No request was answered yet.
    await expect.poll(shown).toEqual(before.map((on) => !on))
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    await page.getByRole('alert').getByText('Ask an admin for it').waitFor()
    await expect.poll(shown).toEqual([before[0], !before[1]])
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.()
    await expect
      .poll(async () => (await platform.client.notifications.settings()).kinds.budget_alert.channel)
      .toBe(!before[1])
    await page.unroute(settings)
    await page.reload()
    await second.waitFor()
    expect(await shown()).toEqual([before[0], !before[1]])
  })

  test('a push is shown by the browser while no page waits for it', async () => {
    const { page } = watched
    await page.context().grantPermissions(['notifications'], { origin: platform.origin })
    await page.goto(dashboard('/notifications/settings'))
    const devtools = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations
        if (registration !== undefined) resolve(registration.registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    await page.evaluate(`navigator.serviceWorker
      .register('/dashboard/push-worker.js', { scope: '/dashboard/' })
      .then(() => navigator.serviceWorker.ready).then(() => null)`)
    const url = at('/sessions')
    const data = JSON.stringify({ title: 'Fix the typo', text: 'Which one?', url, tag: 't' })
    const registrationId = await registered
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: platform.origin, registrationId, data })
    const shown = () =>
      page.evaluate<unknown>(`navigator.serviceWorker.ready
        .then((worker) => worker.getNotifications())
        .then((all) => all.map(({ title, body, data }) => ({ title, body, data })))`)
    await expect.poll(shown).toEqual([{ title: 'Fix the typo', body: 'Which one?', data: { url } }])
    await page.evaluate(
      `navigator.serviceWorker.ready.then((worker) => worker.unregister()).then(() => null)`,
    )
    await devtools.detach()
  })
}
