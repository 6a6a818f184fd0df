import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Program,
  type ProgramControl,
  type ProgramLine,
  type Programs,
  type ProgramState,
  SandboxError,
} from '@svc/sandbox'
import { shippedOf, treeOfFolder } from './folder-archive.ts'
import { freePort } from '../../../../scripts/free-port.ts'

interface Local {
  readonly folder: string
  /** The keys of its control. */
  readonly keys: ReadonlySet<string>
  child: ChildProcess | null
  state: ProgramState
  readonly lines: ProgramLine[]
  asked_to_end: boolean
}

const nothing: ProgramState = {
  ...{ phase: 'empty', port: null, exits: 0, last_exit: null, reason: null },
  ...{ connections: 0, last_byte_at: null, last_line: 0 },
}

export interface LocalPrograms extends Programs {
  /** Number of sandboxes that were ever made. */
  readonly made: () => number
  /** Ends the program of a sandbox as a crash would. */
  crash(external_id: string): void
  /** Gives no answer about a sandbox, as a machine that cannot be reached, until it is called with false. */
  hide(external_id: string, hidden: boolean): void
  /** Forgets a sandbox as a machine that went away would. */
  lose(external_id: string): Promise<void>
}

/** Programs as processes of this test: they have files, ports and signals, and nothing keeps them apart. */
export function localPrograms(): LocalPrograms {
  const sandboxes = new Map<string, Local>()
  let made = 0
  const hidden = new Set<string>()
  const requireSeen = (external_id: string) => {
    if (hidden.has(external_id)) throw new SandboxError('network', 'Its machine does not answer')
  }
  const requireOne = (external_id: string) => {
    const one = sandboxes.get(external_id)
    if (one === undefined) throw new SandboxError('gone', `There is no sandbox ${external_id}`)
    return one
  }
  const end = async (one: Local) => {
    one.asked_to_end = true
    if (one.child === null || one.child.exitCode !== null || one.child.signalCode !== null) return
    const gone = once(one.child, 'exit')
    signalGroup(one.child, 'SIGKILL')
    await gone
  }
  return {
    name: 'local',
    runs: { processes: true, images: false, dockerfiles: false },
    made: () => made,
    identify: (sandbox_id) => `local-${sandbox_id}`,
    async create({ sandbox_id, token }) {
      const external_id = `local-${sandbox_id}`
      if (!sandboxes.has(external_id)) {
        made += 1
        const folder = await mkdtemp(join(tmpdir(), 'svc-app-'))
        sandboxes.set(external_id, {
          folder,
          keys: new Set([token]),
          child: null,
          state: nothing,
          lines: [],
          asked_to_end: false,
        })
      }
      return { external_id }
    },
    async control(external_id, token) {
      requireSeen(external_id)
      const one = sandboxes.get(external_id)
      if (one === undefined) return null
      if (!one.keys.has(token)) throw new SandboxError('internal', 'That is not its token')
      return controlOf(one)
    },
    async front(external_id) {
      const port = sandboxes.get(external_id)?.state.port ?? null
      return port === null ? null : { url: `http://127.0.0.1:${port}` }
    },
    status: async (external_id) => {
      if (hidden.has(external_id)) return 'unknown'
      return sandboxes.has(external_id) ? 'running' : 'removed'
    },
    exitReport: async (external_id) => ({
      exit: null,
      output: requireOne(external_id)
        .lines.slice(-20)
        .map(({ line }) => line)
        .join('\n'),
    }),
    async destroy(external_id) {
      requireSeen(external_id)
      const one = sandboxes.get(external_id)
      if (one === undefined) return
      await end(one)
      sandboxes.delete(external_id)
      await rm(one.folder, { recursive: true, force: true })
    },
    list: async () => [...sandboxes.keys()],
    pin: async () => Promise.reject(new SandboxError('image', 'No images are run here')),
    build: async () => Promise.reject(new SandboxError('image', 'No images are made here')),
    keep: async () => undefined,
    crash(external_id) {
      const { child } = requireOne(external_id)
      if (child !== null) signalGroup(child, 'SIGKILL')
    },
    hide: (external_id, on) => void (on ? hidden.add(external_id) : hidden.delete(external_id)),
    async lose(external_id) {
      const one = requireOne(external_id)
      await end(one)
      sandboxes.delete(external_id)
    },
    async close() {
      for (const one of sandboxes.values()) {
        await end(one)
        await rm(one.folder, { recursive: true, force: true })
      }
      sandboxes.clear()
    },
  }
}

function controlOf(one: Local): ProgramControl {
  return {
    async put(archive) {
      for await (const { header, content } of shippedOf(archive)) {
        const at = join(one.folder, header.name)
        await mkdir(header.type === 'directory' ? at : dirname(at), { recursive: true })
        if (header.type === 'symlink') await symlink(header.linkname ?? '', at)
        if (header.type !== 'file') continue
        await pipeline(Readable.from(content), createWriteStream(at))
        await chmod(at, header.mode ?? 0o644)
      }
    },
    async start(program) {
      if (one.state.phase !== 'empty') return one.state
      // Before anything is waited for: of two who start it at once one does, and no program is left that nobody knows.
      one.state = { ...one.state, phase: 'starting' }
      const port = program.kind === 'serve' ? (program.port ?? (await freePort())) : null
      if (one.asked_to_end) throw new SandboxError('gone', 'Its sandbox was ended')
      one.state = { ...one.state, port }
      run(one, program)
      if (program.kind === 'serve') void watch(one, program)
      return one.state
    },
    state: async () => ({ ...one.state, last_line: one.lines.length }),
    async lines({ after, limit, wait_ms }) {
      const until = performance.now() + wait_ms
      while (one.lines.length <= after && performance.now() < until) await pause(25)
      return one.lines.slice(after, after + limit)
    },
    async take(folder) {
      const at = join(one.folder, folder)
      await access(at)
      return treeOfFolder(at)
    },
    async drain(grace_ms) {
      one.asked_to_end = true
      if (one.child === null || one.child.exitCode !== null || one.child.signalCode !== null) return
      const gone = once(one.child, 'exit')
      signalGroup(one.child, 'SIGTERM')
      await Promise.race([gone, pause(grace_ms)])
      signalGroup(one.child, 'SIGKILL')
      await gone
    },
    close: async () => undefined,
  }
}

function run(one: Local, program: Program): void {
  const [command = 'true', ...rest] = program.command ?? []
  const { PATH = '', HOME = '' } = process.env
  const port = one.state.port === null ? {} : { PORT: String(one.state.port) }
  const child = spawn(command, rest, {
    cwd: join(one.folder, program.folder ?? ''),
    env: { PATH, HOME, ...program.environment, ...port },
    ...{ stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  })
  one.child = child
  const masked = Object.entries(program.masked)
  for (const stream of ['stdout', 'stderr'] as const) {
    const lines = child[stream]
    if (lines === null) continue
    createInterface({ input: lines }).on('line', (text) => {
      const line = masked.reduce((shown, [name, value]) => shown.replaceAll(value, `[${name}]`), text)
      one.lines.push({ number: one.lines.length + 1, at: new Date().toISOString(), stream, line })
    })
  }
  child.on('error', (error) => ended(one, program, { code: 127, signal: null }, error.message))
  child.on('close', (code, signal) => ended(one, program, { code, signal }, null))
}

function ended(
  one: Local,
  program: Program,
  exit: { readonly code: number | null; readonly signal: string | null },
  reason: string | null,
): void {
  const last_exit = { ...exit, at: new Date().toISOString() }
  if (program.kind === 'once') {
    one.state = { ...one.state, phase: 'ended', exits: 1, last_exit, reason }
    return
  }
  if (one.asked_to_end) return
  const exits = one.state.exits + 1
  if (exits >= 5) {
    one.state = { ...one.state, phase: 'failed', exits, last_exit, reason: 'It ended 5 times in 10 minutes' }
    return
  }
  one.state = { ...one.state, phase: 'waiting', exits, last_exit, reason }
  setTimeout(() => {
    if (one.asked_to_end) return
    one.state = { ...one.state, phase: 'starting' }
    run(one, program)
    void watch(one, program)
  }, 100 * exits)
}

/** Waits until it answers. */
async function watch(one: Local, { readiness_path, timeout_ms }: Program): Promise<void> {
  const until = performance.now() + timeout_ms
  while (one.state.phase === 'starting' && !one.asked_to_end) {
    if (performance.now() > until) {
      one.state = { ...one.state, phase: 'failed', reason: 'It did not answer in time' }
      return
    }
    const answer = await fetch(`http://127.0.0.1:${one.state.port}${readiness_path ?? '/'}`, {
      redirect: 'manual',
    }).catch(() => null)
    await answer?.body?.cancel()
    const good = answer !== null && (readiness_path === null || answer.status < 400)
    if (good && one.state.phase === 'starting') one.state = { ...one.state, phase: 'ready' }
    else await pause(25)
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It ended already.
  }
}
