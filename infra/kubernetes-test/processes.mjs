import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const endDeadlineMs = 20_000

/** The processes that are started here, each with a log of its own, ended in reverse by pid. */
export function createProcesses(logs) {
  mkdirSync(logs, { recursive: true })
  const running = []
  return {
    start(name, command, args, env = process.env) {
      const log = openSync(join(logs, `${name}.log`), 'a')
      const child = spawn(command, args, { stdio: ['ignore', log, log], env })
      const state = { name, child, ended: false }
      child.on('exit', () => (state.ended = true))
      child.on('error', () => (state.ended = true))
      running.push(state)
      return state
    },
    /** Until `ask` gives something; says the process's last words when it ends before. */
    async until(state, what, ask) {
      const deadline = Date.now() + 120_000
      for (;;) {
        const answer = await ask().catch(() => null)
        if (answer) return answer
        if (state.ended || Date.now() > deadline) {
          const words = readFileSync(join(logs, `${state.name}.log`), 'utf8').slice(-6_000)
          throw new Error(`${what} did not happen. The last words of ${state.name}:\n${words}`)
        }
        await sleep(100)
      }
    },
    run(command, args, options) {
      return new Promise((resolve, reject) => {
        const child = spawn(command, args, { stdio: 'inherit', ...options })
        child.on('error', reject)
        child.on('exit', (code) => resolve(code ?? 1))
      })
    },
    keepLogs(target) {
      cpSync(logs, target, { recursive: true })
      return target
    },
    async end() {
      for (const state of running.toReversed()) {
        if (state.ended) continue
        state.child.kill('SIGTERM')
        const deadline = Date.now() + endDeadlineMs
        while (!state.ended && Date.now() < deadline) await sleep(50)
        if (!state.ended) state.child.kill('SIGKILL')
      }
    },
  }
}
