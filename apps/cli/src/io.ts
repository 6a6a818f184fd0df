import type { ReadStream, WriteStream } from 'node:tty'

export type Env = Readonly<Record<string, string | undefined>>

/** Everything a command may touch of the process it runs in. */
export interface Io {
  readonly env: Env
  readonly cwd: string
  readonly home: string
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: WriteStream
  /** Runs the listener on each Ctrl-C instead of ending the process; the answer undoes it. */
  onInterrupt(listener: () => void): () => void
}
