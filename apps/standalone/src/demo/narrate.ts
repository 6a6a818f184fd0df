import pc from 'picocolors'

const started = performance.now()
const progressEveryMs = 3_000
let shown = -progressEveryMs

/** Tells the story on stdout: each step with the time since the demo began. */
export const narrate = {
  step(text: string): void {
    process.stdout.write(`\n${pc.dim(clock())} ${pc.bold(text)}\n`)
  },
  detail(text: string): void {
    for (const line of text.trimEnd().split('\n')) process.stdout.write(`         ${line}\n`)
  },
  /** Megabytes of about so many, every few seconds. */
  progress(text: string, bytes_done: number, bytes: number): void {
    if (performance.now() - shown < progressEveryMs) return
    shown = performance.now()
    narrate.detail(`${text}: ${megabytes(bytes_done)} of about ${megabytes(bytes)} MB`)
  },
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

function clock(): string {
  return `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`
}
