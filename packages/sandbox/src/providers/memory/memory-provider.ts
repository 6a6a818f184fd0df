import { randomUUID } from 'node:crypto'
import type {
  ExitReport,
  HarnessSource,
  ProviderEdge,
  SandboxEndpoint,
  SandboxProvider,
  SandboxSpec,
} from '../../provider.ts'
import type { Authority } from '../../network/authority.ts'
import { type Egress, judge, platformOnly } from '../../network/egress.ts'
import { reachOf } from '../../network/reach.ts'
import { noSuchSandbox, type SandboxError } from '../../sandbox-error.ts'

export interface MemorySandbox {
  readonly spec: SandboxSpec
  readonly environment: Readonly<Record<string, string>>
  readonly running: boolean
  readonly exit: string | null
  readonly starts: number
  readonly touches: number
}

export type MemoryOperation = 'create' | 'start' | 'stop' | 'destroy' | 'status' | 'touch' | 'adopt'

/** A provider that runs nothing, with handles for tests. */
export interface MemoryProvider extends SandboxProvider {
  readonly sandboxes: ReadonlyMap<string, MemorySandbox>
  /** The sandbox ends by itself, as by kill -9. */
  crash(external_id: string, exit?: string): void
  /** The next call of this operation is refused with this error. */
  failNext(operation: MemoryOperation, error: SandboxError): void
  /** True when a program in the sandbox would reach the target. */
  reaches(external_id: string, target: Authority): Promise<boolean>
}

export interface MemoryProviderOptions {
  /** The endpoint of a sandbox's daemon, for tests that have one. */
  readonly endpoint?: (external_id: string) => SandboxEndpoint
  /** The request with which a sandbox says that it is in use, as of a provider with an inactivity timer. */
  readonly edge?: (external_id: string) => ProviderEdge
  /** The reach that its sandboxes would have beside the platform; nothing when absent. */
  readonly egress?: Egress
  /** The refusal of templates; it makes every one when absent. */
  readonly refusal?: SandboxProvider['refusal']
  /** The place of harnesses in its sandboxes; the store when absent. */
  readonly harnesses?: HarnessSource
}

export function createMemoryProvider(options: MemoryProviderOptions = {}): MemoryProvider {
  const sandboxes = new Map<string, MemorySandbox>()
  const failures = new Map<MemoryOperation, SandboxError[]>()
  const endpointOf = options.endpoint ?? ((external_id) => ({ url: `http://${external_id}.invalid:8000` }))

  const edgeOf = (edge: (external_id: string) => ProviderEdge) => async (external_id: string) =>
    sandboxes.get(external_id)?.running === true ? edge(external_id) : null

  const begin = (operation: MemoryOperation) => {
    const error = failures.get(operation)?.shift()
    if (error !== undefined) throw error
  }
  const change = (external_id: string, changes: Partial<MemorySandbox>) => {
    const sandbox = sandboxes.get(external_id)
    if (sandbox === undefined) throw noSuchSandbox(external_id)
    sandboxes.set(external_id, { ...sandbox, ...changes })
  }
  const resume = (external_id: string, environment?: Readonly<Record<string, string>>) => {
    const sandbox = sandboxes.get(external_id)
    const starts = (sandbox?.starts ?? 0) + (sandbox?.running === true ? 0 : 1)
    change(external_id, {
      running: true,
      exit: null,
      starts,
      ...(environment === undefined ? {} : { environment }),
    })
    return { endpoint: endpointOf(external_id) }
  }

  return {
    name: 'memory',
    sandboxes,
    describe: () => ({
      name: 'memory',
      isolated: [],
      not_isolated: ['nothing runs: this provider is for tests'],
    }),
    runs: { processes: true, images: true, dockerfiles: true },
    identify: (sandbox_id) =>
      [...sandboxes].find(([, sandbox]) => sandbox.spec.sandbox_id === sandbox_id)?.[0] ?? null,
    harnesses: () => options.harnesses ?? 'store',
    refusal: options.refusal ?? (() => null),
    create: async (spec, signal) => {
      begin('create')
      signal?.throwIfAborted()
      const known = [...sandboxes].find(([, sandbox]) => sandbox.spec.sandbox_id === spec.sandbox_id)
      const external_id = known?.[0] ?? `sbx_${randomUUID().replaceAll('-', '')}`
      const fresh = { spec, environment: {}, running: false, exit: null, starts: 0, touches: 0 }
      if (known === undefined) sandboxes.set(external_id, fresh)
      return { external_id, ...resume(external_id, spec.environment) }
    },
    start: async (external_id, environment) => {
      begin('start')
      return resume(external_id, environment)
    },
    stop: async (external_id) => {
      begin('stop')
      if (sandboxes.get(external_id)?.running === true) change(external_id, { running: false, exit: null })
    },
    destroy: async (external_id) => {
      begin('destroy')
      sandboxes.delete(external_id)
    },
    status: async (external_id) => {
      begin('status')
      const sandbox = sandboxes.get(external_id)
      if (sandbox === undefined) return 'removed'
      return sandbox.running ? 'running' : 'stopped'
    },
    endpoint: async (external_id) =>
      sandboxes.get(external_id)?.running === true ? endpointOf(external_id) : null,
    touch: async (external_id) => {
      begin('touch')
      change(external_id, { touches: (sandboxes.get(external_id)?.touches ?? 0) + 1 })
    },
    ...(options.edge === undefined ? {} : { edge: edgeOf(options.edge) }),
    environment: async (external_id) => sandboxes.get(external_id)?.environment ?? null,
    adopt: async (external_id, environment) => {
      begin('adopt')
      change(external_id, { environment })
    },
    exitReport: async (external_id): Promise<ExitReport> => ({
      exit: sandboxes.get(external_id)?.exit ?? null,
      output: '',
    }),
    list: async () => [...sandboxes.keys()],
    running: async () => new Set([...sandboxes].flatMap(([id, { running }]) => (running ? [id] : []))),
    close: async ({ stop_sandboxes }) => {
      if (!stop_sandboxes) return
      for (const external_id of sandboxes.keys()) change(external_id, { running: false, exit: null })
    },
    crash: (external_id, exit = 'killed by SIGKILL') => change(external_id, { running: false, exit }),
    reaches: async (external_id, target) => {
      const reach = reachOf(sandboxes.get(external_id)?.environment ?? {})
      return (await judge(target, reach, options.egress ?? platformOnly)).allowed
    },
    failNext: (operation, error) => {
      failures.set(operation, [...(failures.get(operation) ?? []), error])
    },
  }
}
