import { join } from 'node:path'
import type { Client } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { allEvents } from '../sessions/events.ts'
import type { Asked, LoadedProject } from '../upgrade/load.ts'
import { slotSeconds } from '../upgrade/loaded-project.ts'

interface Restored {
  readonly client: Client
  readonly token: string
  /** For a clone. */
  readonly folder: string
}

/** Work that was answered well before a backup began and that a restored platform does not have, or has otherwise. */
export async function lostWork(
  { client, token, folder }: Restored,
  { project: { project_id }, talker }: Pick<LoadedProject, 'project' | 'talker'>,
  asked: Asked,
): Promise<string[]> {
  const { projects } = client
  const clone = join(folder, 'restored')
  await git(['clone', '-q', (await projects.get(project_id)).repo_url, clone], { token })
  const log = (format: string, branch: string) =>
    git(['log', `--format=${format}`, `origin/${branch}`], { cwd: clone })
  const [landed, pushed] = [await log('%H', 'main'), (await log('%s', 'pushed')).split('\n')]
  const files = await git(['ls-tree', '--name-only', '-z', 'origin/main'], { cwd: clone })
  const changes = await all(projects.changeRequests.list(project_id, { status: 'all' }))
  const merged = changes.filter(({ status }) => status === 'merged')
  const fires = (await all(projects.triggers.fires(project_id, 'hook'))).map(({ occurrence }) => occurrence)
  const events = await allEvents(client, talker)
  const ended = events
    .filter(({ type, state, status }) => type === 'turn' && state === 'end' && status === 'completed')
    .map(({ prompt_id }) => prompt_id)
  const missing = (what: string, given: readonly string[], has: (one: string) => boolean) =>
    given.filter((one) => !has(one)).map((one) => `${what} ${one}`)
  return [
    ...missing(
      'merge',
      asked.shipped.map(({ cr_id }) => cr_id),
      (id) => merged.some(({ cr_id }) => cr_id === id),
    ),
    ...missing(
      'file',
      asked.shipped.map(({ file }) => file),
      (file) => files.split('\0').includes(file),
    ),
    ...missing('prompt', asked.prompts, (id) => ended.includes(id)),
    ...missing('delivery', asked.hooks, (id) => fires.includes(id)),
    ...missing('push', asked.pushed, (subject) => pushed.includes(subject)),
    ...missing('event', asked.streamed.map(String), (seq) => events[Number(seq) - 1]?.seq === Number(seq)),
    // No row may be newer than its repository.
    ...missing(
      'commit of a merged row',
      merged.map((one) => String(one.merge_commit_sha)),
      (sha) => landed.includes(sha),
    ),
  ]
}

/**
 * Slots of a schedule that the lost deployment may have fired after its backup, or that passed while there was none, and that
 * are not told as missed: none may fire again.
 */
export async function wrongSlots(
  client: Client,
  project_id: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<string[]> {
  const fires = await all(client.projects.triggers.fires(project_id, 'slots'))
  const between: string[] = []
  const step = slotSeconds * 1_000
  for (let at = Math.ceil(from.getTime() / step) * step; at < to.getTime(); at += step)
    between.push(new Date(at).toISOString())
  if (between.length === 0) return ['no slot passed']
  return between.flatMap((slot) => {
    const rows = fires.filter(({ occurrence }) => Date.parse(occurrence) === Date.parse(slot))
    const said = rows.map(({ status, reason }) => `${status} ${String(reason)}`).join(', ')
    return said === 'missed restored' ? [] : [`${slot}: ${said}`]
  })
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}
