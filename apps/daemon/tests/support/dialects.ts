import { join } from 'node:path'
import { type BuiltRuntime, type ManifestRuntime, type RuntimeProgram, runtimePrograms } from '@svc/facts'
import { type FrozenHarness, harnessLaunch, harnessVariable } from '@svc/harness'
import type { AgentSettingsInput } from './acp-agent/settings.ts'
import { builtAcpAgent, builtDaemon, builtRuntime, builtStdioDaemon } from './bundle.ts'
import { binaries } from './runtime-binary.ts'

/** An ability that a runtime may do without. */
export type Ability =
  | 'agent files'
  | 'asks'
  | 'questions'
  | 'todo lists'
  | 'subagents'
  | 'a server'
  | 'taking back'
  | 'a choice of models'
  /** It finds its session again in another process; else it is given the record of the platform. */
  | 'going back'
  /** Its usage is told in tokens and money. */
  | 'token counts'
  /** Instructions stand beside the conversation, and not in it. */
  | 'system prompts'

/** The differences between runtimes: the place of their program, the way to write a file, and their lacks. */
export interface Dialect {
  readonly name: string
  /** More than its name, where several have that. */
  readonly title?: string
  readonly lacks: readonly Ability[]
  /** The reason that it cannot be tried here. */
  readonly missing: string | null
  /** A word in the command line of its server. */
  readonly word: string
  write(path: string, content: string): ScriptedCall
  /** Asks a person to choose; OpenCode's way where it is left out. */
  ask?(question: string, choice: string): ScriptedCall
  /** Writes a list of one thing to do; OpenCode's way where it is left out. */
  plan?(content: string): ScriptedCall
  make(): Promise<{
    readonly bundle: string
    readonly binaries?: Readonly<Record<string, string>>
    readonly programs?: Readonly<Record<string, string>>
    /** Variables of the session. */
    readonly environment?: Readonly<Record<string, string>>
  }>
}

/** A call of a tool, as the scripted model makes it. */
export interface ScriptedCall {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** A runtime of the registry, as it is shipped; a machine that npm has no binary of it for cannot try it. */
export function shipped(
  name: ManifestRuntime,
  own: Pick<Dialect, 'word' | 'write'> & Partial<Dialect>,
): Dialect {
  const program: RuntimeProgram = runtimePrograms[name]
  const isMissing = 'npm_package' in program && binaries()[name] === undefined
  const missing = isMissing ? `no agent runtime ${name} for ${process.platform}-${process.arch}` : null
  if (missing !== null && process.env['CI'] !== undefined) throw new Error(missing)
  if (missing !== null) console.warn(`skipped: ${missing}`)
  return {
    name,
    lacks: [],
    missing,
    make: async () => {
      const [bundle, main] = await Promise.all([builtDaemon(), isBuilt(name) ? builtRuntime(name) : null])
      return { bundle, binaries: binaries(), programs: main === null ? {} : { [name]: main } }
    },
    ...own,
  }
}

function isBuilt(name: ManifestRuntime): name is BuiltRuntime {
  return 'built_folder' in runtimePrograms[name]
}

export const agentrt: Dialect = shipped('agentrt', {
  word: 'serve',
  write: (path, content) => ({ name: 'write', args: { filePath: path, content } }),
})

export const pi: Dialect = shipped('pi', {
  word: 'main.js',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
})

/** A runtime of the tests' own: lines over its standard input and output. */
export const stdio: Dialect = {
  name: 'stdio',
  lacks: ['agent files', 'asks', 'questions', 'todo lists', 'subagents', 'a server'],
  missing: null,
  word: 'stdio-agent',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
  make: async () => ({
    bundle: await builtStdioDaemon(),
    programs: { stdio: join(import.meta.dirname, 'stdio-runtime/stdio-agent.mjs') },
  }),
}

const noSettings: FrozenHarness['settings'] = {
  ...{ command: null, dialect: 'chat', env: {}, model_env: [] },
  ...{ mode: null, options: {}, variant: null },
}

/** A harness by the Agent Client Protocol, from the manifest's entry that names it. */
function harnessEnvironment(
  frozen: Pick<FrozenHarness, 'harness'> & Partial<FrozenHarness>,
): Record<string, string> {
  const whole = { version: null, auth: 'gateway', settings: noSettings, ...frozen } as const
  return { [harnessVariable]: JSON.stringify(harnessLaunch(whole, null)) }
}

/** The agent of the tests that speaks the protocol, as a program of a project's own. */
export function acpAgent(settings: AgentSettingsInput, more: Partial<Dialect> = {}): Dialect {
  return {
    name: 'acp',
    title: 'acp, an agent of the tests',
    lacks: ['subagents', 'a server', 'taking back', 'token counts', 'system prompts'],
    missing: null,
    word: 'acp-agent',
    write: (path, content) => ({ name: 'write', args: { path, content } }),
    ask: (question, choice) => ({ name: 'ask', args: { question, options: [choice] } }),
    plan: (content) => ({ name: 'todo', args: { items: [content] } }),
    make: async () => {
      const [bundle, main] = await Promise.all([builtDaemon(), builtAcpAgent()])
      const env = { ACP_AGENT: JSON.stringify(settings) }
      const own = { command: ['acp-agent'], env }
      return {
        bundle,
        programs: { 'acp-agent': main },
        environment: harnessEnvironment({ harness: 'mine', settings: { ...noSettings, ...own } }),
      }
    },
    ...more,
  }
}

/** OpenCode by the protocol, instead of its server. */
export const opencodeAcp: Dialect = {
  ...agentrt,
  name: 'acp',
  title: 'acp, OpenCode',
  lacks: ['subagents', 'a server', 'taking back', 'token counts', 'questions', 'todo lists'],
  word: 'acp',
  make: async () => ({
    bundle: await builtDaemon(),
    binaries: binaries(),
    environment: harnessEnvironment({ harness: 'opencode' }),
  }),
}
