import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import { type Order, Report } from './protocol.ts'

export interface WorkerProcess {
  /** The labels that it has passed since it was armed with null. */
  readonly labels: string[]
  readonly ended: Promise<NodeJS.Signals | null>
  arm(at: string | null): Promise<void>
  end(): Promise<void>
}

export interface Spare {
  open(): Promise<WorkerProcess>
  end(): Promise<void>
}

/** The worker of these tests as one file, since it is started again after every kill. Resolves with its path. */
export function bundleWorker(): Promise<string> {
  return bundleProcess(new URL('./worker-main.ts', import.meta.url))
}

/** A worker process with its code loaded and nothing opened yet, so that the next one takes over at once. */
export function startSpare(program: string, env: Readonly<Record<string, string>>, concurrency = 1): Spare {
  const child = fork(program, [], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([, signal]: (NodeJS.Signals | null)[]) => signal ?? null)
  const labels: string[] = []
  child.on('message', (message) => {
    const report = Report.parse(message)
    if (report.kind === 'step') labels.push(report.label)
  })
  const loaded = reported(child, 'loaded', ended)
  // No test waited for a spare that is ended unused.
  loaded.catch(() => {})
  const send = (order: Order) =>
    new Promise<void>((resolve) => (child.connected ? void child.send(order, () => resolve()) : resolve()))
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    end,
    async open() {
      await loaded
      const open = reported(child, 'open', ended)
      await send({ kind: 'open', env, concurrency })
      await open
      return {
        labels,
        ended,
        end,
        async arm(at) {
          const armed = reported(child, 'armed', ended)
          labels.length = 0
          await send({ kind: 'arm', at })
          await armed
        },
      }
    },
  }
}

function reported(child: ChildProcess, kind: Report['kind'], ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (Report.parse(message).kind === kind) resolve()
    })
    ended.then(() => reject(new Error(`the worker ended before it was ${kind}`)), reject)
  })
}
