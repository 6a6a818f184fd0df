import type { Log } from '../log.ts'

const steps = new Map<string, number>([['process', performance.timeOrigin]])
let logged = false

/** Notes when the daemon's start got this far, the first time that it does. */
export function step(name: string): void {
  if (!logged && !steps.has(name)) steps.set(name, performance.timeOrigin + performance.now())
}

/** Says once, in one line, when each step was: milliseconds of the machine's clock. */
export function logSteps(log: Log): void {
  if (logged) return
  logged = true
  const at = Object.fromEntries([...steps].map(([name, time]) => [name, Math.round(time)]))
  log.info('the agent speaks', { steps: at })
}
