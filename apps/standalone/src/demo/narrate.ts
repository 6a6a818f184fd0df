import pc from 'picocolors'

const started = performance.now()

/** Tells the story on stdout: each step with the time since the demo began. */
export const narrate = {
  step(text: string): void {
    process.stdout.write(`\n${pc.dim(clock())} ${pc.bold(text)}\n`)
  },
  detail(text: string): void {
    for (const line of text.trimEnd().split('\n')) process.stdout.write(`         ${line}\n`)
  },
}

function clock(): string {
  return `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`
}
