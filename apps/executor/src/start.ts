import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { channelCalls } from '@svc/channels/connector'
import { connectorSettings, type ExecutorContext, noExecutor, remoteExecutor } from '@svc/connectors'
import { createExecutor, type LocalExecutor } from '@svc/connectors/executor'
import { guardedWire } from '@svc/outbound'
import { every, jobMeter, type Platform, runJob, trackFailures } from '@svc/platform'
import { outagesOf } from '@svc/services'
import { untilAborted } from '@svc/timing'
import { createComputerHub, createProviders } from '@svc/upstream'
import type { ExecutorEnv } from './env.ts'

export interface RunningExecutor {
  /** For an API in the same process. */
  readonly executor: LocalExecutor
  /** Waits for the calls that run, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

type Settings = Pick<
  ExecutorEnv,
  | 'SVC_APPROVAL_SIGN_IN_MINUTES'
  | 'SVC_CONNECTOR_CALL_DAYS'
  | 'SVC_OUTBOUND_ADDRESSES'
  | 'SVC_AGGREGATORS_FILE'
  | 'SVC_EXECUTOR_CONCURRENCY'
> & {
  /** The origin at which other executors reach this one, and the key that they sign with; absent where it is the only one. */
  readonly peers?: { readonly address: string; readonly key: Buffer } | undefined
}

const sweepMs = 2_000
const forgetMs = 600_000
const touchMs = 10_000
const measureMs = 10_000

/** Carries out what connectors are asked for: the jobs of approved calls, the API's direct ones, and whatever was left undone. */
export function startExecutor(platform: Platform, env: Settings): RunningExecutor {
  const { ctx, locks, queue } = platform
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const wire = guardedWire({ open: env.SVC_OUTBOUND_ADDRESSES ?? [] })
  const hub = createComputerHub()
  const providers = createProviders({
    ...{ wire, aggregators: env.SVC_AGGREGATORS_FILE, computers: hub },
    channels: channelCalls(ctx),
  })
  const { peers } = env
  const parts: ExecutorContext = {
    ...ctx,
    locks,
    signal: stop.signal,
    ...{ providers: providers.of, aggregators: providers.aggregators, wire },
    computers: {
      ...{ hub, holder: randomUUID(), address: peers?.address ?? null },
      peer: (url) => (peers === undefined ? noExecutor : remoteExecutor({ url, key: peers.key })),
    },
    connector_settings: connectorSettings(env),
  }
  const executor = createExecutor(parts)
  const worker = queue.work(
    'connector',
    {
      'connector.execute': (ids: { readonly call_id: string }, job) =>
        runJob(ctx, job, ids, () => executor.execute(ids)),
    },
    {
      concurrency: env.SVC_EXECUTOR_CONCURRENCY,
      ...jobMeter(ctx.metrics, 'connector'),
      ...trackFailures(ctx),
    },
  )
  const outages = outagesOf(ctx.log)
  const loops = [
    every({ ms: sweepMs, name: 'the sweep for connectors', work: () => executor.sweep(), outages }),
    every({
      ms: forgetMs,
      name: 'the sweep for old connector calls',
      work: () => executor.forget(),
      outages,
    }),
    every({
      ms: touchMs,
      name: 'the look at paired computers',
      work: () => executor.touch(),
      outages,
    }),
    every({
      ms: measureMs,
      name: 'the count of calls that wait for people',
      work: () => executor.measure(),
      outages,
    }),
  ]
  return {
    executor,
    close: async (force = new AbortController().signal) => {
      const swept = Promise.all(loops.map((loop) => loop.stop()))
      await worker.close(force)
      // Before the rest is ended: a call of a computer goes on there, and another executor takes its end.
      await hub.close()
      stop.abort()
      await untilAborted(swept, force)
      await providers.close()
      await wire.close()
    },
  }
}
