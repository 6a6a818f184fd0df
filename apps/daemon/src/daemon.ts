import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createAuthenticate } from './access/authenticate.ts'
import type { DaemonEnv } from './env.ts'
import { createJournal } from './events/journal.ts'
import { createReporter } from './events/reporter.ts'
import { createApp } from './http/app.ts'
import { listenHttp } from './http/server.ts'
import { daemonLimits } from './limits.ts'
import type { Log } from './log.ts'
import { openPlatform } from './platform/open-platform.ts'
import { pause } from './shared/backoff.ts'
import { createIsOurs } from './proxy/own-sockets.ts'
import { createReverseProxy } from './proxy/reverse-proxy.ts'
import { openRepository } from './repository/open-repository.ts'
import { createAgentrt } from './runtimes/agentrt/agentrt.ts'
import { createSessionEnvironment } from './runtimes/environment.ts'
import { createSession } from './session.ts'
import { openSessionStore } from './state/session-store.ts'
import { version } from './version.ts'

export interface Daemon {
  close(): Promise<void>
}

/** Everything that runs in the sandbox beside the agent itself. `onAbandoned`: the platform stayed away too long. */
export async function startDaemon(env: DaemonEnv, log: Log, onAbandoned: () => void): Promise<Daemon> {
  const startedAt = Date.now()
  const closing = new AbortController()
  const { inherited } = env
  const secrets = ['SVC_SANDBOX_TOKEN', 'SVC_TOKEN', 'SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN', 'SVC_LLM_API_KEY']
  for (const name of [...secrets, ...env.secret_names]) log.hide(inherited[name])

  const store = openSessionStore(join(env.state_dir, 'state.json'))
  const platform = openPlatform(env, log, onAbandoned)
  const journal = createJournal(randomUUID(), daemonLimits.journalEvents)
  const reporter = createReporter({ outbox: platform.outbox, journal, now: () => new Date() })
  const repository = await openRepository(env, platform.api, closing.signal, log)
  const environment = createSessionEnvironment(inherited, { SVC_WORKSPACE: env.workspace })
  const runtime = createAgentrt({
    workspace: env.workspace,
    home: env.home,
    host: env.runtime.host,
    port: env.runtime.port,
    llm: env.llm,
    agent: env.agent_name,
    model: env.model,
    secret_names: env.secret_names,
    log,
  })
  const session = createSession({
    env,
    store,
    runtime,
    environment,
    repository,
    reporter,
    lease: platform.lease,
    log,
  })

  async function health(): Promise<object> {
    const repo = await repository.health()
    const { state, error, runtime_session_id } = session.health()
    const well = repo.state === 'ready' && state === 'ready'
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
    journal,
    closing: closing.signal,
    authenticate,
    health,
    state: () => ({ ...session.state(), epoch: journal.epoch, head_seq: journal.head_seq }),
    runtime: session.open,
    accept: session.accept,
    stop: session.stop,
    refresh: session.refresh,
    changeEnvironment: (change) => {
      for (const value of Object.values(change.set)) log.hide(value)
      return session.changeEnvironment(change)
    },
    log,
  })
  const proxy = createReverseProxy({
    authenticate,
    hosts: [...new Set([env.runtime.host, '127.0.0.1', '::1'])],
    isOurs: createIsOurs(env.sandbox_id),
    own_port: env.listen.port,
    runtime: env.runtime,
    runtimeAuthorization: session.runtimeAuthorization,
  })
  const server = await listenHttp({ app, proxy, ...env.listen, log })
  log.info('svc-agent listens', { ...env.listen, version })
  session.start()

  return {
    close: async () => {
      closing.abort()
      server.close()
      await session.close()
      repository.close()
      await platform.close()
      server.closeAllConnections()
      await pause(0)
    },
  }
}
