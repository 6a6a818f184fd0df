import { join } from 'node:path'
import { builtDaemon, builtPi, builtStdioDaemon } from './bundle.ts'
import { runtimeBinary } from './runtime-binary.ts'

/** An ability that a runtime may do without. */
export type Ability = 'agent files' | 'asks' | 'todo lists' | 'subagents' | 'a server'

/** The differences between runtimes: the place of their program, the way to write a file, and their lacks. */
export interface Dialect {
  readonly name: string
  readonly lacks: readonly Ability[]
  /** The reason that it cannot be tried here. */
  readonly missing: string | null
  /** A word in the command line of its server. */
  readonly word: string
  write(path: string, content: string): { readonly name: string; readonly args: Record<string, unknown> }
  make(): Promise<{
    readonly bundle: string
    readonly runtime?: string
    readonly programs?: Readonly<Record<string, string>>
  }>
}

const binary = runtimeBinary()

export const agentrt: Dialect = {
  name: 'agentrt',
  lacks: [],
  missing: binary === null ? `no agent runtime for ${process.platform}-${process.arch}` : null,
  word: 'serve',
  write: (path, content) => ({ name: 'write', args: { filePath: path, content } }),
  make: async () => ({ bundle: await builtDaemon(), runtime: binary ?? '' }),
}

export const pi: Dialect = {
  name: 'pi',
  lacks: [],
  missing: null,
  word: 'main.js',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
  make: async () => {
    const [bundle, program] = await Promise.all([builtDaemon(), builtPi()])
    return { bundle, programs: { pi: program }, ...(binary && { runtime: binary }) }
  },
}

/** A runtime of the tests' own: lines over its standard input and output. */
export const stdio: Dialect = {
  name: 'stdio',
  lacks: ['agent files', 'asks', 'todo lists', 'subagents', 'a server'],
  missing: null,
  word: 'stdio-agent',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
  make: async () => ({
    bundle: await builtStdioDaemon(),
    programs: { stdio: join(import.meta.dirname, 'stdio-runtime/stdio-agent.mjs') },
  }),
}

for (const { missing } of [agentrt, pi]) {
  if (missing === null) continue
  if (process.env['CI'] !== undefined) throw new Error(missing)
  console.warn(`skipped: ${missing}`)
}
