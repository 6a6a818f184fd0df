import { settled } from '@svc/timing'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createAuthenticate } from './access/authenticate.ts'
import { openCheckpoints } from './checkpoints/open-checkpoints.ts'
import type { DaemonEnv } from './env.ts'
import { createJournal } from './events/journal.ts'
import { createReporter } from './events/reporter.ts'
import { createApp } from './http/app.ts'
import { openDaemonServer } from './serving/daemon-server.ts'
import { hostOf } from './http/server.ts'
import { daemonLimits } from './limits.ts'
import type { Log } from './log.ts'
import { openPlatform } from './platform/open-platform.ts'
import { openForwarders } from './network/forward.ts'
import { openMonitors } from './monitors/monitors.ts'
import { pause } from './shared/backoff.ts'
import { deferred } from './shared/deferred.ts'
import { step } from './shared/steps.ts'
import { createIsOurs } from './proxy/own-sockets.ts'
import { createReverseProxy } from './proxy/reverse-proxy.ts'
import { openRepository } from './repository/open-repository.ts'
import { createSessionEnvironment } from './runtimes/environment.ts'
import { createGateway } from './runtimes/gateway.ts'
import { agentInstructions } from './runtimes/instructions.ts'
import { createRuntime, type RuntimeRegistry } from './runtimes/registry.ts'
import { createSession } from './session/session.ts'
import { openSessionStore } from './prompts/session-store.ts'
import { version } from './version.ts'
import type { Waited } from './warm/wait-for-session.ts'

export interface Daemon {
  close(): Promise<void>
}

/**
 * Everything that runs in the sandbox beside the agent itself. `onAbandoned`: the platform stayed away too long. What
 * was there before this was loaded is taken over.
 */
export async function startDaemon(
  env: DaemonEnv,
  log: Log,
  onAbandoned: () => void,
  waited: Waited,
  registry: RuntimeRegistry,
): Promise<Daemon> {
  const startedAt = Date.now()
  const closing = new AbortController()
  const { inherited } = env
  const secrets = ['SVC_SANDBOX_TOKEN', 'SVC_TOKEN', 'SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN', 'SVC_LLM_API_KEY']
  for (const name of [...secrets, ...env.secret_names]) log.hide(inherited[name])

  const { fetch } = waited
  const forwarders =
    fetch !== null ? fetch.forwarders : env.relay === null ? null : await openForwarders(env.relay)
  const store = openSessionStore(join(env.state_dir, 'state.json'))
  const platform = openPlatform(env, log, onAbandoned)
  const journal = createJournal(randomUUID(), daemonLimits.journal)
  const reporter = createReporter({ outbox: platform.outbox, journal, now: () => new Date() })
  const checkpoints = openCheckpoints(env, reporter, closing.signal, log)
  const spoken = deferred<void>()
  const repository = await openRepository(
    env,
    platform.api,
    checkpoints.restore,
    // One of the pool has its runtime ready long before any file is there.
    { begun: fetch?.begun ?? null, is_awaited: waited.is_warm, calm: spoken.promise },
    closing.signal,
    log,
  )
  const environment = createSessionEnvironment(inherited, { SVC_WORKSPACE: env.workspace })
  // The process that waited knows its secret already.
  const runtimeSecrets = waited.runtime ? [waited.runtime.secret] : []
  const runtime = createRuntime(registry, env.runtime_name, {
    workspace: env.workspace,
    home: env.home,
    host: env.runtime.host,
    port: env.runtime.port,
    gateway: createGateway({ llm: env.llm, model: env.model, log }),
    agent: env.agent_name,
    skills: env.skills,
    instructions: agentInstructions(env),
    secretNames: environment.secretNames,
    secret: () => runtimeSecrets.shift() ?? randomBytes(24).toString('base64url'),
    log,
  })
  const session = createSession({
    env,
    store,
    runtime,
    standby: waited.runtime,
    environment,
    repository,
    reporter,
    checkpoints,
    platform,
    onSpoken: () => spoken.resolve(),
    log,
  })

  const monitors = env.monitors
    ? openMonitors({
        folder: join(env.state_dir, 'monitors'),
        workspace: env.workspace,
        owner: `monitors-${env.session_id}`,
        environment: environment.current,
        refresh: repository.refresh,
        setBusy: platform.lease.setBusy,
        log,
      })
    : null

  async function health(waitMs: number): Promise<object> {
    if (waitMs > 0) await settled(waitMs, repository.settled, closing.signal)
    const repo = await repository.health()
    const { state, error, runtime_session_id } = session.health()
    const well = repo.state === 'ready' && (env.monitors || state === 'ready')
    const booting = repo.state === 'cloning' || (repo.state === 'ready' && state === 'starting')
    return {
      status: well ? 'ready' : booting ? 'booting' : 'degraded',
      daemon: { version, uptime_seconds: Math.floor((Date.now() - startedAt) / 1000) },
      runtime: { name: runtime.name, state, session_id: runtime_session_id },
      repo,
      error: (repo.state === 'failed' ? repo.error : null) ?? error,
    }
  }

  const authenticate = createAuthenticate({
    service_key: env.service_key,
    session_id: env.session_id,
    now: Date.now,
  })
  const app = createApp({
    session_id: env.session_id,
    workspace: env.workspace,
    repository,
    journal,
    closing: closing.signal,
    authenticate,
    health,
    session,
    monitors,
    log,
  })
  const proxy = createReverseProxy({
    authenticate,
    hosts: [...new Set([env.runtime.host, '127.0.0.1', '::1'])],
    // In a network of the sandbox's own, every listener is the sandbox's.
    isOurs: createIsOurs(env.relay === null ? env.sandbox_id : undefined),
    own_ports: [env.listen.port, ...(forwarders?.ports ?? []), ...repository.ports],
    runtime_port: env.runtime.port,
    runtime: session.running,
  })
  const server = waited.server ?? fetch?.server ?? (await openDaemonServer(env.listen, log))
  server.give(hostOf({ app, proxy }))
  const { servers } = server
  step('listens')
  log.info('svc-agent listens', { ...env.listen, version })
  session.start()

  return {
    close: async () => {
      closing.abort()
      for (const server of servers) server.close()
      await monitors?.close()
      await session.close()
      repository.close()
      await platform.close()
      for (const server of servers) server.closeAllConnections()
      forwarders?.close()
      await pause(0)
    },
  }
}
