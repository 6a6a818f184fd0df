import { join } from 'node:path'
import { type BuiltRuntime, type RuntimeName, type RuntimeProgram, runtimePrograms } from '@svc/facts'
import { builtDaemon, builtRuntime, builtStdioDaemon } from './bundle.ts'
import { binaries } from './runtime-binary.ts'

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
    readonly binaries?: Readonly<Record<string, string>>
    readonly programs?: Readonly<Record<string, string>>
  }>
}

/** A runtime of the registry, as it is shipped; a machine that npm has no binary of it for cannot try it. */
export function shipped(name: RuntimeName, own: Pick<Dialect, 'word' | 'write'> & Partial<Dialect>): Dialect {
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

function isBuilt(name: RuntimeName): name is BuiltRuntime {
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
  lacks: ['agent files', 'asks', 'todo lists', 'subagents', 'a server'],
  missing: null,
  word: 'stdio-agent',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
  make: async () => ({
    bundle: await builtStdioDaemon(),
    programs: { stdio: join(import.meta.dirname, 'stdio-runtime/stdio-agent.mjs') },
  }),
}
