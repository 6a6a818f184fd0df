import { builtDaemon, builtPi } from './bundle.ts'
import { runtimeBinary } from './runtime-binary.ts'

/** In what the runtimes differ: where their program comes from, and how a file is written. */
export interface Dialect {
  readonly name: 'agentrt' | 'pi'
  /** Why it cannot be tried here. */
  readonly missing: string | null
  /** In the command line of its server. */
  readonly word: string
  write(path: string, content: string): { readonly name: string; readonly args: Record<string, unknown> }
  make(): Promise<{ readonly bundle: string; readonly runtime?: string; readonly pi?: string }>
}

const binary = runtimeBinary()

export const agentrt: Dialect = {
  name: 'agentrt',
  missing: binary === null ? `no agent runtime for ${process.platform}-${process.arch}` : null,
  word: 'serve',
  write: (path, content) => ({ name: 'write', args: { filePath: path, content } }),
  make: async () => ({ bundle: await builtDaemon(), runtime: binary ?? '' }),
}

export const pi: Dialect = {
  name: 'pi',
  missing: null,
  word: 'main.js',
  write: (path, content) => ({ name: 'write', args: { path, content } }),
  make: async () => {
    const [bundle, program] = await Promise.all([builtDaemon(), builtPi()])
    return { bundle, pi: program, ...(binary && { runtime: binary }) }
  },
}

for (const { missing } of [agentrt, pi]) {
  if (missing === null) continue
  if (process.env['CI'] !== undefined) throw new Error(missing)
  console.warn(`skipped: ${missing}`)
}
