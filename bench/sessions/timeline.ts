import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { defaultRuntime, runtimeNames } from '@svc/facts'
import { z } from 'zod'
import { generate } from './generate.ts'
import { settle } from './measure.ts'
import { type BenchPlatform, startPlatform } from './platform.ts'
import { firstWord, Session } from './session.ts'
import { draw, medians, type Steps } from './spans.ts'

/**
 * The spans of a session's start, from the create to the first piece of the answer, as medians of several:
 * `npx tsx bench/sessions/timeline.ts [--runs <n>] [--runtime <name>] [--files <n>] [--commits <n>] [--warm]
 * [--provider <name>] [--json <file>]`. Clocks are the machine's one, rounded to milliseconds.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    runtime: { type: 'string', default: defaultRuntime },
    files: { type: 'string', default: '500' },
    commits: { type: 'string', default: '10' },
    provider: { type: 'string', default: 'auto' },
    warm: { type: 'boolean' },
    json: { type: 'string' },
  },
})

const Spoken = z.object({ msg: z.literal('the agent speaks'), steps: z.record(z.string(), z.number()) })

const runtime = z.enum(runtimeNames).parse(values.runtime)
const stepsOf = new Map<string, Map<string, number>>()
let field = { session_id: '', step: '' }

/** A step of the platform's, out of its log at debug, where each field has a line. */
function onLine(line: string): void {
  const [, name = '', value = ''] = /^ +(session_id|step|at): "?([^"]+)"?$/.exec(line) ?? []
  if (name === 'session_id') field = { session_id: value, step: '' }
  if (name === 'step') field = { ...field, step: value }
  if (name !== 'at' || field.step === '') return
  const steps = stepsOf.get(field.session_id) ?? new Map<string, number>()
  stepsOf.set(field.session_id, steps.set(`platform.${field.step}`, Number(value)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function startOnce(platform: BenchPlatform, project_id: string): Promise<Steps> {
  const all = `/projects/${project_id}/sessions`
  const posted = Date.now()
  const { session_id } = Session.parse(await platform.call('POST', all, { initial_prompt: 'hello' }))
  const created = Date.now()
  const path = `${all}/${session_id}`
  await firstWord(platform, path)
  const first_token = Date.now()
  const { external_id } = Session.parse(await platform.call('GET', path))
  const daemon = await stepsOfDaemon(platform, external_id ?? '')
  await platform.call('DELETE', path)
  while (external_id !== null && !(await platform.sandboxes.isGone(external_id))) await sleep(50)
  return new Map([
    ['client.posted', posted],
    ['client.created', created],
    ['client.first_token', first_token],
    ...(stepsOf.get(session_id) ?? []),
    ...daemon,
  ])
}

/** The daemon prints them all in one line, when the agent speaks. */
async function stepsOfDaemon(platform: BenchPlatform, external_id: string): Promise<[string, number][]> {
  for (let look = 0; look < 100; look += 1) {
    const lines = (await platform.sandboxes.outputOf(external_id)).split('\n')
    const found = lines.map((line) => Spoken.safeParse(parseJson(line)).data).find((line) => line)
    if (found) return Object.entries(found.steps).map(([name, at]) => [`daemon.${name}`, at])
    await sleep(20)
  }
  throw new Error('The daemon did not say when its steps were')
}

const platform = await startPlatform(values.provider, values.warm ? runtime : null, onLine)
try {
  const body = { name: 'timeline', seed_starter: false }
  const Provisioned = z.object({ project_id: z.string() })
  const { project_id } = Provisioned.parse(await platform.call('POST', '/projects/provision', body))
  const shape = { files: Number(values.files), commits: Number(values.commits) }
  await generate(join(platform.repositories, `${project_id}.git`), shape, runtime)
  const starts: Steps[] = []
  for (let round = 0; round <= Number(values.runs); round += 1) {
    if (values.warm) await platform.awaitWarm()
    await settle()
    const steps = await startOnce(platform, project_id)
    // The first one fills caches.
    if (round > 0) starts.push(steps)
  }
  const rows = medians(starts)
  const kind = values.warm ? 'from the pool' : 'cold'
  const load = loadavg()[0]?.toFixed(1) ?? ''
  console.info(`${runtime}, ${shape.files} files, ${kind}, medians of ${starts.length}, load ${load}\n`)
  console.info(draw(rows))
  if (values.json) await writeFile(values.json, `${JSON.stringify({ load, rows }, null, 2)}\n`)
} finally {
  await platform.close()
}
