import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import type { ProviderDescription } from '../../src/index.ts'
import type { StubTools } from '../../src/testing/index.ts'
import type { IsolationFixture, OpenIsolated, Provider } from '../describe-isolation.ts'
import { Answer, type AskBody, Created, Description, Started, Status, Words } from './unprivileged-orders.ts'

/** The id of no user on any machine, outside of the range that sandboxes started by root get. */
const uid = 199_999

/** A provider in a process that only root can make: one of an ordinary user, whose every call is a line to it. */
export const openUnprivileged = async (
  stub: StubTools,
  options: Parameters<OpenIsolated>[1],
): Promise<IsolationFixture & { readonly description: ProviderDescription }> => {
  const root = await mkdtemp(join(tmpdir(), 'svc-unprivileged-'))
  const agent = join(root, 'agent.js')
  await cp(stub.sources.agent_bundle, agent)
  for (const path of [root, agent]) await chown(path, uid, uid)
  await chmod(root, 0o711)
  const { node } = stub.sources
  const tools = { node, agent_bundle: agent, cli_folder: null, runtimes: {} }
  const order = JSON.stringify({ root, scope: 'here', tools, ...options })
  const script = await bundleProcess(new URL('unprivileged-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, order], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, TMPDIR: root },
    uid,
    gid: uid,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = Answer.parse(JSON.parse(line))
    waiting.get(answer.id)?.(answer)
  })
  const awaitAnswer = async (id: number): Promise<unknown> => {
    const gone = exited.then(() => ({ id, error: 'The platform of the test has ended' }))
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    const { value, error } = await Promise.race<Answer>([answer, gone])
    if (error !== undefined) throw new Error(error)
    return value
  }
  let count = 0
  const ask = (body: AskBody): Promise<unknown> => {
    count += 1
    const answer = awaitAnswer(count)
    child.stdin.write(`${JSON.stringify({ id: count, ask: body })}\n`)
    return answer
  }
  const provider: Provider = {
    create: async ({ sandbox_id, environment, limits = {} }) =>
      Created.parse(
        await ask({ method: 'create', spec: { sandbox_id, environment: { ...environment }, limits } }),
      ),
    start: async (external_id) => Started.parse(await ask({ method: 'start', external_id })),
    stop: async (external_id) => void (await ask({ method: 'stop', external_id })),
    status: async (external_id) => Status.parse(await ask({ method: 'status', external_id })),
    exitReport: async (external_id) => Words.parse(await ask({ method: 'exitReport', external_id })),
  }
  const description = Description.parse(await awaitAnswer(0))
  return {
    root,
    provider,
    description,
    dispose: async () => {
      await ask({ method: 'close' })
      child.stdin.end()
      await exited
      await rm(root, { recursive: true, force: true })
    },
  }
}
