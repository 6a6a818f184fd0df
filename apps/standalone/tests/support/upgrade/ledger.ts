import type { Client, Session } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { allEvents } from '../sessions/events.ts'
import type { Asked, LoadedProject } from './load.ts'
import { settle } from '../platform/settle.ts'
import { slotSeconds } from './loaded-project.ts'

/** Pieces of work that rows show not at all, more than once, or otherwise than they were asked for. */
export async function wrongWork(loaded: LoadedProject, asked: Asked, origin: string): Promise<string[]> {
  const { token } = loaded
  await settle({ origin, token })
  await git(['fetch', '-q', 'origin'], { cwd: loaded.clone, token })
  const found = await Promise.all([
    wrongPrompts(loaded, asked),
    wrongShipments(loaded, asked),
    wrongFires(loaded, asked),
    wrongPushes(loaded, asked),
    wrongStream(loaded, asked),
  ])
  return found.flat()
}

const once = 'begin, end completed'

async function wrongPrompts({ client, talker }: LoadedProject, { prompts }: Asked): Promise<string[]> {
  const turns = await turnsOf(client, talker)
  return prompts.flatMap((prompt_id) => {
    const states = turns.get(prompt_id)?.join(', ') ?? 'no turn'
    return states === once ? [] : [`prompt ${prompt_id}: ${states}`]
  })
}

/** Each is a session with one change request, which is on the default branch once. */
async function wrongShipments({ client, project, clone }: LoadedProject, { shipped }: Asked) {
  const { project_id } = project
  const changes = await all(client.projects.changeRequests.list(project_id, { status: 'all' }))
  const sessions = await all(client.projects.sessions.list(project_id))
  const { entries } = await client.projects.files.list(project_id)
  const of = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length
  const wrong = shipped.flatMap(({ session_id, cr_id, file }) => {
    const { branch_name } = sessions.find((one) => one.session_id === session_id) ?? { branch_name: '' }
    const counts = {
      sessions: of(sessions, ({ name }) => name === file),
      change_requests: of(changes, ({ head_ref }) => head_ref === branch_name),
      merged: of(changes, (one) => one.cr_id === cr_id && one.status === 'merged'),
      files: of(entries, ({ path }) => path === file),
    }
    return Object.values(counts).every((count) => count === 1) ? [] : [`${file}: ${JSON.stringify(counts)}`]
  })
  const log = (format: string) => git(['log', `--format=${format}`, 'origin/main'], { cwd: clone })
  const [commits, trailers] = [await log('%H'), await log('%(trailers:key=CR,valueonly)')]
  // Where the base had not moved the head itself is its new commit, which has no trailer.
  const landed = trailers.split('\n').filter(Boolean)
  const twice = landed.filter((cr_id, index) => landed.indexOf(cr_id) !== index)
  const unknown = landed.filter((landed_id) => !shipped.some(({ cr_id }) => cr_id === landed_id))
  const lost = changes.filter(({ merge_commit_sha: sha }) => sha === null || !commits.includes(sha))
  return [
    ...wrong,
    ...twice.map((cr_id) => `merged twice: ${cr_id}`),
    ...unknown.map((cr_id) => `merged, and not by an answer that came: ${cr_id}`),
    ...lost.map(({ cr_id }) => `merged, and not on main: ${cr_id}`),
  ]
}

/** Each delivery that was answered and each slot of the schedule has one row and one turn. */
async function wrongFires(
  { client, project: { project_id } }: LoadedProject,
  { hooks }: Asked,
): Promise<string[]> {
  const fires = {
    hook: await all(client.projects.triggers.fires(project_id, 'hook')),
    slots: await all(client.projects.triggers.fires(project_id, 'slots')),
  }
  const occurrences = fires.hook.map(({ occurrence }) => occurrence)
  const times = fires.slots.map(({ occurrence }) => Date.parse(occurrence)).toSorted((a, b) => a - b)
  const gaps = times.flatMap((time, index) => {
    const seconds = (time - (times[index - 1] ?? time - slotSeconds * 1_000)) / 1_000
    return seconds === slotSeconds ? [] : [`${seconds} s before the slot ${new Date(time).toISOString()}`]
  })
  const wrong = [
    ...hooks
      .filter((id) => occurrences.filter((one) => one === id).length !== 1)
      .map((id) => `delivery ${id}`),
    ...gaps,
  ]
  for (const [slug, rows] of Object.entries(fires)) {
    for (const { occurrence, status, reason } of rows)
      if (status !== 'fired') wrong.push(`${slug} ${occurrence}: ${status} ${String(reason)}`)
    for (const session_id of new Set(rows.flatMap((row) => row.session_id ?? []))) {
      const turns = [...(await turnsOf(client, { project_id, session_id })).values()].map((states) =>
        states.join(', '),
      )
      const fired = rows.filter((row) => row.session_id === session_id).length
      if (turns.length !== fired) wrong.push(`${slug}: ${turns.length} turns of ${fired} fires`)
      wrong.push(...turns.filter((states) => states !== once).map((states) => `${slug}: ${states}`))
    }
  }
  return wrong
}

async function wrongPushes({ clone }: LoadedProject, { pushed }: Asked): Promise<string[]> {
  const subjects = (await git(['log', '--format=%s', 'origin/pushed'], { cwd: clone })).split('\n')
  return pushed.filter((one) => subjects.filter((subject) => subject === one).length !== 1)
}

/** A stream that moved from process to process brought each event once, and in order. */
async function wrongStream({ client, talker }: LoadedProject, { streamed }: Asked): Promise<string[]> {
  const stored = (await allEvents(client, talker)).map(({ seq }) => seq)
  const same = stored.every((seq, index) => streamed[index] === seq)
  return same ? [] : [`${stored.length} events were stored and ${streamed.length} came`]
}

/** The states of each prompt's turns. */
async function turnsOf(
  client: Client,
  session: Pick<Session, 'project_id' | 'session_id'>,
): Promise<Map<string, string[]>> {
  const turns = new Map<string, string[]>()
  for (const event of await allEvents(client, session)) {
    if (event.type !== 'turn' || typeof event.prompt_id !== 'string') continue
    const state = event.state === 'end' ? `end ${String(event.status)}` : String(event.state)
    turns.set(event.prompt_id, [...(turns.get(event.prompt_id) ?? []), state])
  }
  return turns
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}
