import type { ChildProcessWithoutNullStreams } from 'node:child_process'

export interface Collected {
  readonly exit_code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly cut: boolean
}

const maxStderr = 64 * 1024

/** Feeds a child, gathers its output up to a bound, and waits for its end. */
export function collect(
  child: ChildProcessWithoutNullStreams,
  input: string | Uint8Array | undefined,
  max_output: number,
): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const out: Buffer[] = []
    const err: Buffer[] = []
    let size = 0
    let errSize = 0
    let cut = false
    child.stdout.on('data', (chunk: Buffer) => {
      if (cut) return
      out.push(chunk)
      size += chunk.length
      if (size <= max_output) return
      cut = true
      child.kill('SIGTERM')
      child.stdout.destroy()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errSize < maxStderr) err.push(chunk)
      errSize += chunk.length
    })
    child.once('error', reject)
    child.once('close', (exit_code: number | null) => {
      const stdout = Buffer.concat(out).subarray(0, max_output)
      resolve({ exit_code, stdout, stderr: Buffer.concat(err).toString('utf8'), cut })
    })
    // A child that ends without reading its input is judged by its exit code, not by the broken pipe.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
