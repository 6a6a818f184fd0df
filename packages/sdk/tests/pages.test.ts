import { afterEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.ts'
import { sendJson, startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

/** Five sessions and five change requests, as many a page as asked for; the cursor is the next index. */
async function pagedClient(): Promise<Client> {
  stub = await startStub((request, response) => {
    const url = new URL(request.url, 'http://stub')
    const from = Number(url.searchParams.get('cursor') ?? 0)
    const numbers = [5, 4, 3, 2, 1].slice(from, from + Number(url.searchParams.get('limit') ?? 50))
    const next = from + numbers.length < 5 ? String(from + numbers.length) : null
    if (url.pathname.endsWith('/sessions')) {
      const headers: Record<string, string> = next === null ? {} : { 'x-next-cursor': next }
      return sendJson(
        response,
        200,
        numbers.map((number) => ({ session_id: `s${number}` })),
        headers,
      )
    }
    const change_requests = numbers.map((number) => ({ number }))
    sendJson(response, 200, { change_requests, ...(next === null ? {} : { next_cursor: next }) })
  })
  return createClient({ api_url: stub.api_url })
}

describe('a list', () => {
  it('awaited is its first page', async () => {
    const client = await pagedClient()
    const page = await client.projects.changeRequests.list('p', { limit: 2, status: 'open' })
    expect(page.items.map(({ number }) => number)).toEqual([5, 4])
    expect(page.next_cursor).toBe('2')
    expect(stub.seen.map(({ url }) => url)).toEqual(['/v1/projects/p/change-requests?limit=2&status=open'])
  })

  it('iterated is every item of every page', async () => {
    const client = await pagedClient()
    const numbers: number[] = []
    for await (const cr of client.projects.changeRequests.list('p', { limit: 2 })) numbers.push(cr.number)
    expect(numbers).toEqual([5, 4, 3, 2, 1])
    expect(stub.seen).toHaveLength(3)
  })

  it('reads the cursor of sessions from the header', async () => {
    const client = await pagedClient()
    const ids: string[] = []
    for await (const session of client.projects.sessions.list('p', { limit: 3 })) ids.push(session.session_id)
    expect(ids).toEqual(['s5', 's4', 's3', 's2', 's1'])
  })

  it('is read only as far as it is used', async () => {
    const client = await pagedClient()
    for await (const cr of client.projects.changeRequests.list('p', { limit: 2 })) if (cr.number === 4) break
    expect(stub.seen).toHaveLength(1)
  })

  it('sends nothing until it is used', async () => {
    const client = await pagedClient()
    client.projects.changeRequests.list('p')
    await client.projects.changeRequests.list('p')
    expect(stub.seen).toHaveLength(1)
  })

  it('continues from a cursor', async () => {
    const client = await pagedClient()
    const sizes: number[] = []
    const pages = client.projects.sessions.list('p', { limit: 2, cursor: '1' }).pages()
    for await (const page of pages) sizes.push(page.items.length)
    expect(sizes).toEqual([2, 2])
  })
})
