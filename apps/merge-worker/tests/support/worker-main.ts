import { createLogger } from '@svc/boot'
import { openPlatform } from '@svc/platform'
import { createQueue } from '@svc/queue'
import { readEnv } from '../../src/env.ts'
import { startMergeWorker } from '../../src/index.ts'
import { Order, type Report } from './protocol.ts'
import { type OnStep, watchDb, watchRepositories } from './steps.ts'

/** The merge-worker as a process of its own, which ends itself at a step that the test names. */
let armed = false
let at: string | null = null
const counts = new Map<string, number>()

const report = (report: Report): void => void process.send?.(report)

const on_step: OnStep = ({ name, moment }) => {
  if (!armed) return
  const nth = (counts.get(`${moment} ${name}`) ?? 0) + 1
  counts.set(`${moment} ${name}`, nth)
  const label = `${moment} ${name} #${nth}`
  if (at === null) report({ kind: 'step', label })
  if (label === at) process.kill(process.pid, 'SIGKILL')
}

async function open(source: Readonly<Record<string, string>>, concurrency: number): Promise<void> {
  const env = readEnv({ ...source })
  const platform = await openPlatform(env, createLogger({ name: 'merge-worker', level: env.SVC_LOG_LEVEL }))
  const { ctx } = platform
  // A job of a worker that died is given out again in half a second rather than in fifteen.
  const queue = await createQueue(env.DATABASE_URL, { log: ctx.log, lock_ms: 500 })
  startMergeWorker(
    {
      ...platform,
      queue,
      locks: watchDb(platform.locks, on_step),
      ctx: {
        ...ctx,
        db: watchDb(ctx.db, on_step),
        repositories: watchRepositories(ctx.repositories, on_step),
      },
    },
    { concurrency },
  )
  report({ kind: 'open' })
}

process.on('message', (message) => {
  const order = Order.parse(message)
  switch (order.kind) {
    case 'open':
      void open(order.env, order.concurrency)
      break
    case 'arm':
      counts.clear()
      at = order.at
      armed = true
      report({ kind: 'armed' })
  }
})
process.once('disconnect', () => process.exit(0))
report({ kind: 'loaded' })
