import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface Stub {
  readonly origin: string
  readonly project_id: string
  close(): Promise<void>
}

/** An API that answers every request at once with a page of change requests: what is timed is the command. */
export async function startStub(count: number): Promise<Stub> {
  const project_id = randomUUID()
  const change_requests = Array.from({ length: count }, (_, index) =>
    changeRequest(project_id, count - index),
  )
  const body = JSON.stringify({ change_requests })
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'bench' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    project_id,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function changeRequest(project_id: string, number: number) {
  const at = '2026-01-01T00:00:00.000Z'
  return {
    cr_id: randomUUID(),
    account_id: randomUUID(),
    project_id,
    number,
    title: `Change number ${number}`,
    description: '',
    base_ref: 'main',
    head_ref: `head-${number}`,
    status: 'open',
    head_commit_sha: 'a'.repeat(40),
    base_commit_sha: 'b'.repeat(40),
    origin_session_id: null,
    created_by: randomUUID(),
    merged_at: null,
    merged_by: null,
    merge_commit_sha: null,
    closed_at: null,
    closed_by: null,
    metadata: {},
    created_at: at,
    updated_at: at,
  }
}
