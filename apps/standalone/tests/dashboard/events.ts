import { once } from 'node:events'
import { createServer } from 'node:http'
import { verifyEvent } from '@svc/sdk'
import { afterAll, expect, test } from 'vitest'
import { at, platform, project, watched } from './world.ts'

/** A person subscribes an address, tries it, and sends an event once more, by clicks. */
export function testEvents(): void {
  const places = [
    ['a project', () => at('/events')],
    ['an account', () => `${platform.origin}/dashboard/accounts/${project.account_id}/events`],
  ] as const
  test.each(places)(
    'an address is subscribed to %s, tried, told once more, and removed',
    async (_, address) => {
      const { page } = watched
      const arrived: { readonly headers: Headers; readonly body: string }[] = []
      const server = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          const headers = new Headers(
            Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
          )
          arrived.push({ headers, body: Buffer.concat(chunks).toString() })
          response.writeHead(204).end()
        })
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      afterAll(() => {
        server.closeAllConnections()
        server.close()
      })
      const { port } = Object(server.address())

      await page.goto(address())
      await page.getByRole('button', { name: 'New subscription' }).click()
      const dialog = page.getByRole('dialog', { name: 'New subscription' })
      await dialog.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`)
      await dialog.getByLabel('Name (optional)').fill('Chat')
      await dialog.getByLabel('Types').fill('cr.*, nothing.*')
      await dialog.getByRole('button', { name: 'Subscribe' }).click()
      await dialog.getByText('nothing.* is no type of event').first().waitFor()
      await dialog.getByLabel('Types').fill('cr.*')
      await dialog.getByRole('button', { name: 'Subscribe' }).click()
      const secret = await dialog.getByLabel('New token value').inputValue()
      expect(secret).toMatch(/^whsec_/)
      await dialog.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('link', { name: 'Chat' }).click()
      await page.getByRole('heading', { name: 'Chat' }).waitFor()
      await page.getByRole('button', { name: 'Send a trial' }).click()
      await expect.poll(() => arrived.length).toBe(1)
      await page.reload()
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => arrived.length).toBe(2)
      const [first, second] = await Promise.all(
        arrived.map(({ headers, body }) => verifyEvent(secret, headers, body)),
      )
      expect(first).toMatchObject({ type: 'ping' })
      expect(second).toEqual(first)
      expect(arrived[1]?.headers.get('svc-replay')).toBe('1')

      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('button', { name: 'Enable' }).waitFor()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No address is told yet').waitFor()
    },
  )
}
