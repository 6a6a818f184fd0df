// Installs and builds this checkout when that is needed, with nothing but Node and npm at hand.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildInputs } from './build-inputs.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamps = join(root, 'node_modules/.cache/svc')

/** The checkout is ready to run when this returns; it ends the process with a reason when that cannot be. */
export function setUp() {
  setUpPackages()
  build()
  if (existsSync(join(root, '.git'))) process.env.SVC_COMMIT ??= commit()
}

/** Its dependencies are installed when this returns; nothing is built. */
export function setUpPackages() {
  requireNode()
  install()
}

/** The name of this build, for /v1/health. */
function commit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}

function requireNode() {
  const minimum = manifest().engines.node.replace('>=', '')
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  fail(`This needs Node ${minimum} or newer; this is Node ${process.versions.node}.`)
}

function install() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests()]
  const wanted = fingerprint(files)
  if (stamp('install') === wanted) return
  step('Installing packages (once, and after changes of the lockfile)')
  run('npx', ['-y', pnpm(), 'install', '--frozen-lockfile', '--prefer-offline'])
  remember('install', wanted)
}

function build() {
  const wanted = fingerprint(['turbo.json', ...buildInputs(root)])
  const built = deployables().every((app) => existsSync(join(root, 'apps', app, 'dist/main.js')))
  if (built && stamp('build') === wanted) return
  step('Building')
  run('npx', ['-y', pnpm(), 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only'])
  remember('build', wanted)
}

/** The exact package manager of this checkout, through npm. */
export function pnpm() {
  return manifest().packageManager
}

function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function deployables() {
  return readdirSync(join(root, 'apps')).filter((app) =>
    existsSync(join(root, 'apps', app, 'tsup.config.ts')),
  )
}

function manifests() {
  return ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(group, name, 'package.json'))
      .filter((file) => existsSync(join(root, file))),
  )
}

function fingerprint(files) {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...files].sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function stamp(name) {
  const file = join(stamps, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function remember(name, value) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), value)
}

export function step(text) {
  process.stderr.write(`\u203a ${text} …\n`)
}

function run(command, args) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', npm_config_yes: 'true' }
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (result.status === 0) return
  fail(
    result.error
      ? `${command} could not be started: ${result.error.message}`
      : `${command} ${args.join(' ')} failed; see above.`,
  )
}

export function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
