// The waits of a newcomer: a fresh clone in an empty home, from the first command to the ready line, the second
// start, the demo and, with --test, the whole test command. Prints the wall times and writes result.json beside this file.
//   node bench/first-run/run.mjs [--test]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const checkout = dirname(dirname(here))
const work = mkdtempSync(join(tmpdir(), 'svc-first-run-'))
const clone = join(work, 'clone')
const port = 7960
const env = { PATH: process.env.PATH, HOME: join(work, 'home'), SVC_PORT: String(port) }
mkdirSync(env.HOME)

const result = { node: process.version, cpus: cpus().length, seconds: {} }
try {
  run('git', ['clone', '--quiet', checkout, clone], work)
  result.seconds['npm start, first time'] = await startAndStop()
  result.seconds['npm start, second time'] = await startAndStop()
  result.seconds['npm run demo'] = timed(() => run('npm', ['run', 'demo'], clone))
  if (process.argv.includes('--test')) result.seconds['npm test'] = timed(() => run('npm', ['test'], clone))
  for (const [what, seconds] of Object.entries(result.seconds)) {
    process.stdout.write(`${what.padEnd(26)} ${seconds.toFixed(1)} s\n`)
  }
  writeFileSync(join(here, 'result.json'), `${JSON.stringify(result, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Seconds until the ready line; the platform is then ended as Ctrl-C does it. */
async function startAndStop() {
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const ready = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('svc is ready')) resolve((performance.now() - started) / 1000)
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)))
  })
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGINT')
  await ended
  return ready
}

function timed(work) {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
