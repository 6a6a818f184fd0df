import type { Client } from '@svc/sdk'

const pageSize = 200

/** Sequence number of the newest stored event: the place to listen from. */
export async function lastSeq(client: Client, project_id: string, session_id: string): Promise<number> {
  let after = 0
  for (;;) {
    const page = await client.projects.sessions.events(project_id, session_id, { after, limit: pageSize })
    const last = page.events.at(-1)?.seq ?? after
    if (page.last_seq > last || page.events.length < pageSize) return Math.max(last, page.last_seq)
    after = last
  }
}
