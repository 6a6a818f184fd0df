import { createHmac } from 'node:crypto'
import type { Client, Project, Session } from '@svc/sdk'
import { within } from '@svc/timing'
import { git } from '../clients/git.ts'
import { visitApp } from '../platform/app-pushes.ts'
import { awaitTurn, bash, commitAndPush, lastSeq, script, write } from '../sessions/agent.ts'
import { waitFor } from '../wait-for.ts'
import { type LaneLimits, startLanes } from './lanes.ts'

export interface LoadedProject {
  readonly client: Client
  readonly token: string
  readonly project: Project
  /** Its `hook` is a webhook with this secret. */
  readonly hook_secret: string
  readonly hook_url: string
  /** An app of static files that everybody may visit. */
  readonly app_url: string
  /** A session that people go on talking to. */
  readonly talker: Session
  /** A clone whose branch is pushed again and again. */
  readonly clone: string
}

/** The work that was asked for and answered well: rows have to show each piece, and show it once. */
export interface Asked {
  readonly shipped: { readonly session_id: string; readonly cr_id: string; readonly file: string }[]
  readonly prompts: string[]
  readonly hooks: string[]
  readonly pushed: string[]
  /** Sequence numbers of the talker's events as its stream brought them. */
  readonly streamed: number[]
  reads: number
  visits: number
  /** Calls that did not end as asked. */
  readonly wrong: string[]
}

export interface Load {
  readonly asked: Asked
  /** Finishes what has begun; what does not end is an error that names it. */
  stop(): Promise<Asked>
  /** The same where nothing answers any more: what has begun fails. */
  abandon(): Promise<void>
}

/** Only how long a failure takes to show: on a machine that others use as well a turn takes some seconds. */
const limits: LaneLimits = { step_ms: 90_000, stop_ms: 180_000 }

/**
 * People, agents, a sender of webhooks and visitors, all at once and without an attempt of their own to try again. What
 * `context` says is in the error of a call that does not end.
 */
export function startLoad(loaded: LoadedProject, context: () => string): Load {
  const { client, project, token, talker } = loaded
  const { project_id } = project
  const { sessions, changeRequests, files } = client.projects
  const asked: Asked = {
    ...{ shipped: [], prompts: [], hooks: [], pushed: [], streamed: [], wrong: [] },
    ...{ reads: 0, visits: 0 },
  }
  const lanes = startLanes(asked.wrong, limits, context)
  const expectDone = ({ status, outputs }: Awaited<ReturnType<typeof awaitTurn>>) => {
    const said = outputs.join('\n')
    if (status !== 'completed') throw new Error(`the turn was ${status}: ${said}`)
    return said
  }

  for (const lane of ['a', 'b'])
    lanes.add(`ship ${lane}`, 500, async (round, step) => {
      const file = `shipped ${lane} ${round}.txt`
      const steps = [
        write(file, 'x\n'),
        commitAndPush(`Ship ${lane} ${round}`),
        bash('svc cr open --title Ship'),
      ]
      const input = { name: file, initial_prompt: script(...steps) }
      const session = await step('creates a session', (signal) =>
        sessions.create(project_id, input, { signal }),
      )
      const { session_id } = session
      const said = expectDone(
        await step(`turn of ${session_id}`, (signal) => awaitTurn(client, session, { signal })),
      )
      const open = await step('lists change requests', (signal) =>
        changeRequests.list(project_id, { status: 'open' }, { signal }),
      )
      const own = open.items.find(({ head_ref }) => head_ref === session.branch_name)
      if (own === undefined)
        throw new Error(`no change request of ${session.branch_name}; its agent had: ${said}`)
      const { cr_id } = own
      await step(`merges ${cr_id}`, (signal) => changeRequests.merge(project_id, cr_id, {}, { signal }))
      asked.shipped.push({ session_id, cr_id, file })
      await step(`stops ${session_id}`, (signal) => sessions.stop(project_id, session_id, { signal }))
    })
  lanes.add('talk', 300, async (round, step) => {
    const after = asked.streamed.at(-1) ?? 0
    const text = script(bash(`echo said ${round}`))
    const { prompt_id } = await step('sends a prompt', (signal) =>
      sessions.prompt(project_id, talker.session_id, { text }, { signal }),
    )
    asked.prompts.push(prompt_id)
    expectDone(
      await step(`turn of ${prompt_id} after ${after}`, (signal) =>
        awaitTurn(client, talker, { after, prompt_id, signal }),
      ),
    )
  })
  lanes.add('hook', 2_000, (round, step) =>
    step('is sent', async (signal) => {
      const body = JSON.stringify({ round })
      const signature = createHmac('sha256', loaded.hook_secret).update(body).digest('hex')
      const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-delivery': `d-${round}` }
      const answer = await fetch(loaded.hook_url, { method: 'POST', headers, body, signal })
      const said = await answer.text()
      if (answer.status !== 202) throw new Error(`${answer.status} ${said}`)
      asked.hooks.push(`d-${round}`)
    }),
  )
  lanes.add('push', 2_000, async (round, step) => {
    const options = { cwd: loaded.clone, token }
    await step('commits', () => git(['commit', '-q', '--allow-empty', '-m', `Push ${round}`], options))
    await step('pushes', () => git(['push', '-q', 'origin', 'HEAD:refs/heads/pushed'], options))
    asked.pushed.push(`Push ${round}`)
  })
  type Read = (options: { signal: AbortSignal }) => PromiseLike<unknown>
  const reads: Readonly<Record<string, Read>> = {
    health: (options) => client.health(options),
    projects: (options) => client.projects.list(options),
    sessions: (options) => sessions.list(project_id, {}, options),
    talker: (options) => sessions.get(project_id, talker.session_id, options),
    'change requests': (options) => changeRequests.list(project_id, { status: 'all' }, options),
    files: (options) => files.list(project_id, {}, options),
    triggers: (options) => client.projects.triggers.list(project_id, options),
  }
  const names = Object.keys(reads)
  lanes.add('read', 50, async (round, step) => {
    const name = names[round % names.length] ?? ''
    await step(name, async (signal) => reads[name]?.({ signal }))
    asked.reads += 1
  })
  lanes.add('visit', 100, async (_round, step) => {
    const page = await step('the page', () => visitApp(loaded.app_url))
    if (page !== 'One') throw new Error(page)
    asked.visits += 1
  })
  const quiet = new AbortController()
  const follow = (async () => {
    const { signal } = quiet
    try {
      for await (const { type, seq } of sessions.stream(project_id, talker.session_id, { after: 0, signal }))
        if (type !== 'message.delta' && type !== 'tool.delta') asked.streamed.push(seq)
    } catch (error) {
      if (!signal.aborted) asked.wrong.push(`the stream: ${String(error)}`)
    }
  })()

  return {
    asked,
    async stop() {
      await lanes.stop()
      const last = await lastSeq(client, talker)
      await waitFor('the stream brings everything', () => (asked.streamed.at(-1) ?? 0) >= last, {
        timeout_ms: 60_000,
      }).catch(() => asked.wrong.push(`the stream: at ${asked.streamed.at(-1)} of ${last}; ${context()}`))
      quiet.abort()
      await within(
        limits.step_ms,
        follow,
        () => new Error(`The stream does not end by its signal; ${context()}`),
      )
      return asked
    },
    async abandon() {
      quiet.abort()
      await lanes.abandon()
      await follow
    },
  }
}
