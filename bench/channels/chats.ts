import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createLogger } from '@svc/boot'
import { migrate } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { migrateQueue } from '@svc/queue'
import { createClient } from '@svc/sdk'
import pg from 'pg'
import { startChild, stopChild } from '../child.ts'
import { machine } from '../machine.ts'
import { round } from '../measure.ts'
import { type Chat, sendMessages, signingSecret, tokens } from './chat-load.ts'

/** See README.md. */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const plan = values.quick
  ? { messages: 500, seconds: 6, people: 50, workSeconds: 120 }
  : { messages: 5_000, seconds: 60, people: 250, workSeconds: 600 }

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-chats-'))
const postgres = await startEmbeddedPostgres({
  data_dir: join(folder, 'postgres'),
  log: createLogger({ name: 'bench', level: 'error' }),
})
const url = postgres.connection_string
await migrate(url)
await migrateQueue(url)
const db = new pg.Pool({ connectionString: url, max: 2 })
const children: ReturnType<typeof startChild>[] = []
const start = async <Said>(file: string, args: readonly string[]): Promise<Said> => {
  const child = startChild(new URL(file, import.meta.url), args)
  children.push(child)
  const [said] = await once(child, 'message')
  return said as Said
}
try {
  const chat = await start<Chat & { api_url: string }>('slack.ts', [String(plan.people)])
  const bolt = await start<{ url: string }>('bolt.ts', [])
  const key = randomBytes(32).toString('hex')
  const api = await start<{ origin: string; token: string }>('chat-server.ts', ['api', folder, url, key])
  const receive_url = await connect(api, chat)
  const load = { messages: plan.messages, seconds: plan.seconds }
  await sendMessages(bolt.url, chat, { messages: 200, seconds: 2 })
  const bare = await sendMessages(bolt.url, chat, load)

  await start('chat-server.ts', ['worker', folder, url, key])
  const ours = await sendMessages(receive_url, chat, load)
  const worked = await workedOff(plan.workSeconds)
  const [p50, p99, bare99] = [
    quantile(ours.times, 0.5),
    quantile(ours.times, 0.99),
    quantile(bare.times, 0.99),
  ]
  const verdicts = [
    {
      what: `acknowledged of ${plan.messages} messages in ${plan.seconds} s, each as two events`,
      promise: 'p99 under 300 ms, none refused',
      measured: `p50 ${round(p50)} ms, p99 ${round(p99)} ms, ${ours.refused} refused`,
      held: p99 < 300 && ours.refused === 0,
    },
    {
      what: 'the same beside an app of Bolt that keeps nothing',
      promise: 'p99 at most 2x',
      measured: `${round(p99)} ms beside ${round(bare99)} ms: ${round(p99 / bare99)}x`,
      held: p99 <= 2 * bare99,
    },
    {
      what: 'prompts that came of them',
      promise: 'one each',
      measured: `${worked.prompts} prompts in ${worked.sessions} sessions, ${round(worked.seconds)} s after the last; verdicts ${worked.verdicts}`,
      held: worked.prompts === plan.messages && worked.sessions === plan.people,
    },
  ]
  for (const { what, promise, measured, held } of verdicts)
    console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ machine: machine(), plan, verdicts }, null, 2)}\n`)
  if (verdicts.some(({ held }) => !held)) process.exitCode = 1
} finally {
  for (const child of children.toReversed()) await stopChild(child)
  await db.end()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

/** A project with the workspace, all of whose people act as its owner. */
async function connect(
  { origin, token }: { readonly origin: string; readonly token: string },
  chat: Chat & { readonly api_url: string },
): Promise<string> {
  const client = createClient({ api_url: `${origin}/v1`, token })
  const { project_id } = await client.projects.provision({ name: 'Chats' })
  const { receive_url } = await client.projects.channels.connect(project_id, {
    platform: 'chat_a',
    credentials: { ...tokens, signing_secret: signingSecret },
    settings: { api_url: chat.api_url },
  })
  await db.query(
    `insert into channel_links (link_id, account_id, platform, tenant, external_user, display, user_id, mfa, created_at)
     select gen_random_uuid(), account_id, platform, $1, person, person, created_by, false, now()
     from project_channels, unnest($2::text[]) person`,
    [chat.team, chat.users],
  )
  return new URL(new URL(receive_url ?? '').pathname, origin).href
}

/** Waits until everything that came in has its verdict. */
async function workedOff(seconds: number) {
  const began = performance.now()
  const count = async (what: string): Promise<number> =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${what}`)).rows[0]?.n ?? Number.NaN
  while ((await count(`channel_deliveries where verdict = 'pending'`)) > 0) {
    if (performance.now() - began > seconds * 1000) break
    await sleep(200)
  }
  const took = (performance.now() - began) / 1000
  const { rows } = await db.query<{ verdict: string; n: number }>(
    `select concat_ws(' ', verdict, reason) as verdict, count(*)::int as n from channel_deliveries group by 1`,
  )
  return {
    seconds: took,
    prompts: await count('session_prompts'),
    sessions: await count('project_sessions'),
    verdicts: rows.map(({ verdict, n }) => `${n} ${verdict}`).join(', '),
  }
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
