import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Project, Session } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { visitApp } from '../platform/app-pushes.ts'
import { awaitTurn, bash, commitAndPush, lastSeq, script, write } from '../sessions/agent.ts'
import { waitFor } from '../wait-for.ts'

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
  /** Finishes what has begun. */
  stop(): Promise<Asked>
}

const longMs = 60_000
const late = () => AbortSignal.timeout(longMs)
const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, sleep(longMs, null, { ref: false }).then(() => Promise.reject(new Error('no answer')))])

/** People, agents, a sender of webhooks and visitors, all at once and without an attempt of their own to try again. */
export function startLoad(loaded: LoadedProject): Load {
  const { client, project, token, talker } = loaded
  const { project_id } = project
  const { sessions, changeRequests, files } = client.projects
  const asked: Asked = {
    ...{ shipped: [], prompts: [], hooks: [], pushed: [], streamed: [], wrong: [] },
    ...{ reads: 0, visits: 0 },
  }
  const stopping = new AbortController()

  const repeat = async (what: string, pause_ms: number, work: (round: number) => Promise<unknown>) => {
    for (let round = 1; !stopping.signal.aborted; round += 1) {
      await work(round).catch((error: unknown) => asked.wrong.push(`${what} ${round}: ${String(error)}`))
      await sleep(pause_ms, null, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const expectDone = (what: string, { status, outputs }: Awaited<ReturnType<typeof awaitTurn>>) => {
    if (status !== 'completed') throw new Error(`${what} was ${status}: ${outputs.join('\n')}`)
  }

  const ship = (lane: string) =>
    repeat(`ship ${lane}`, 500, async (round) => {
      const file = `shipped ${lane} ${round}.txt`
      const steps = [
        write(file, 'x\n'),
        commitAndPush(`Ship ${lane} ${round}`),
        bash('svc cr open --title Ship'),
      ]
      const session = await sessions.create(project_id, {
        name: file,
        initial_prompt: script(...steps),
      })
      const { session_id } = session
      expectDone('the turn', await awaitTurn(client, session))
      const open = (await changeRequests.list(project_id, { status: 'open' })).items
      const own = open.find(({ head_ref }) => head_ref === session.branch_name)
      if (own === undefined) throw new Error(`no change request of ${session.branch_name}`)
      await changeRequests.merge(project_id, own.cr_id)
      asked.shipped.push({ session_id, cr_id: own.cr_id, file })
      await sessions.stop(project_id, session_id)
    })
  const talk = repeat('talk', 300, async (round) => {
    const after = asked.streamed.at(-1) ?? 0
    const text = script(bash(`echo said ${round}`))
    const { prompt_id } = await sessions.prompt(project_id, talker.session_id, { text })
    asked.prompts.push(prompt_id)
    expectDone('the turn', await awaitTurn(client, talker, { after, prompt_id }))
  })
  const post = repeat('hook', 2_000, async (round) => {
    const body = JSON.stringify({ round })
    const signature = createHmac('sha256', loaded.hook_secret).update(body).digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-delivery': `d-${round}` }
    const answer = await fetch(loaded.hook_url, { method: 'POST', headers, body, signal: late() })
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
    asked.hooks.push(`d-${round}`)
  })
  const push = repeat('push', 2_000, async (round) => {
    const options = { cwd: loaded.clone, token }
    await git(['commit', '-q', '--allow-empty', '-m', `Push ${round}`], options)
    await git(['push', '-q', 'origin', 'HEAD:refs/heads/pushed'], options)
    asked.pushed.push(`Push ${round}`)
  })
  const read = repeat('read', 50, async (round) => {
    const reads = [
      () => client.health(),
      () => client.projects.list(),
      () => sessions.list(project_id),
      () => sessions.get(project_id, talker.session_id),
      () => changeRequests.list(project_id, { status: 'all' }),
      () => files.list(project_id),
      () => client.projects.triggers.list(project_id),
    ]
    await reads[round % reads.length]?.()
    asked.reads += 1
  })
  const visit = repeat('visit', 100, async () => {
    const page = await within(visitApp(loaded.app_url))
    if (page !== 'One') throw new Error(page)
    asked.visits += 1
  })
  const quiet = new AbortController()
  const follow = (async () => {
    const { signal } = quiet
    try {
      for await (const { type, seq } of sessions.stream(project_id, talker.session_id, { after: 0, signal }))
        if (type !== 'message.delta') asked.streamed.push(seq)
    } catch (error) {
      if (!signal.aborted) asked.wrong.push(`the stream: ${String(error)}`)
    }
  })()
  const all = Promise.all([ship('a'), ship('b'), talk, post, push, read, visit])

  return {
    asked,
    async stop() {
      stopping.abort()
      await all
      const last = await lastSeq(client, talker)
      await waitFor('the stream brings everything', () => (asked.streamed.at(-1) ?? 0) >= last, {
        timeout_ms: 60_000,
      }).catch(() => asked.wrong.push(`the stream: at ${asked.streamed.at(-1)} of ${last}`))
      quiet.abort()
      await follow
      return asked
    },
  }
}
