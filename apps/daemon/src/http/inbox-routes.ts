import { settled } from '@svc/timing'
import { fileNamePattern, sha256Pattern } from '@svc/facts'
import { Hono } from 'hono'
import { z } from 'zod'
import { putInboxFile } from '../inbox/put-file.ts'
import type { Repository } from '../repository/repository.ts'
import { requirePlatform, type SvcEnv } from '../serving/access.ts'
import { refuse } from '../serving/answers.ts'
import { readQuery } from '../serving/body.ts'

export interface InboxRoutesParts {
  readonly workspace: string
  readonly repository: Pick<Repository, 'settled' | 'health'>
}

/** A clone that is on its way is waited for this long. */
const cloneMs = 8_000

const Query = z.object({
  message: z.uuid(),
  name: z.string().regex(fileNamePattern, 'is no plain name of a file'),
  sha256: z.string().regex(sha256Pattern, 'must be 64 hexadecimal digits'),
})

/** Files that come with a message, put into the workspace before its prompt is sent. */
export function inboxRoutes({ workspace, repository }: InboxRoutesParts): Hono<SvcEnv> {
  const routes = new Hono<SvcEnv>()
  routes.post('/', requirePlatform, async (c) => {
    const file = readQuery(c, Query)
    await settled(cloneMs, repository.settled, c.req.raw.signal)
    if ((await repository.health()).state !== 'ready')
      refuse(503, 'The repository is not there yet; try again in a moment', 'repository_cloning')
    await putInboxFile(workspace, file, c.req.raw.body)
    return c.json({ ok: true })
  })
  return routes
}
