#!/usr/bin/env node
/**
 * A Docker engine for tests, beside any that runs here and without a trace of it:
 *
 *   eval "$(node infra/ci/start-docker.mjs start)"   installs docker.io where no engine is installed, starts one
 *   node infra/ci/start-docker.mjs stop              ends it, with its containers, images and folder
 *
 * `start` prints the variables that the tests read. The engine has its own folders, socket and containerd namespace. It
 * makes no bridge and writes no firewall rule (sandboxes have no network device), so a stop has none to undo. Needs root.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBaseImage } from '../sandbox-image/make-base-image.mjs'

const startDeadlineMs = 60_000
const stopDeadlineMs = 30_000
const imageName = 'svc-sandbox-base'

function installEngine() {
  if (findProgram('dockerd') !== null) return
  say('installing docker.io')
  const policy = '/usr/sbin/policy-rc.d'
  const guarded = !existsSync(policy)
  // Installing a server would start it with Debian's settings.
  if (guarded) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update', '-qq'], { env })
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'docker.io', 'iptables'], { env })
  } finally {
    if (guarded) rmSync(policy, { force: true })
  }
}

async function start() {
  if (process.getuid?.() !== 0) fail('A Docker engine is started by root only.')
  installEngine()
  const dir = mkdtempSync(join(tmpdir(), 'svc-docker-'))
  const socket = join(dir, 'docker.sock')
  const config = join(dir, 'daemon.json')
  mkdirSync(join(dir, 'data'))
  writeFileSync(
    config,
    JSON.stringify({
      'data-root': join(dir, 'data'),
      'exec-root': join(dir, 'exec'),
      pidfile: join(dir, 'docker.pid'),
      hosts: [`unix://${socket}`],
      bridge: 'none',
      iptables: false,
      'ip-forward': false,
      'ip-masq': false,
      // The stack's ports, the one thing that anybody publishes, are led on by a process instead of by rules.
      'userland-proxy': true,
    }),
  )
  const log = openSync(join(dir, 'dockerd.log'), 'a')
  // A containerd of the machine, where one runs, is shared without being mixed.
  const spaces = [
    '--containerd-namespace',
    basename(dir),
    '--containerd-plugins-namespace',
    `${basename(dir)}-plugins`,
  ]
  const engine = spawn(findProgram('dockerd') ?? 'dockerd', ['--config-file', config, ...spaces], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  let ended = false
  engine.on('exit', () => (ended = true))
  engine.unref()
  const deadline = Date.now() + startDeadlineMs
  while (!(await answers(socket))) {
    if (ended || Date.now() > deadline) {
      const words = readFileSync(join(dir, 'dockerd.log'), 'utf8').slice(-4_000)
      await stop(dir)
      fail(`The engine did not start. Its last words:\n${words}`)
    }
    await sleep(50)
  }
  say('making the base image')
  makeBaseImage({ host: `unix://${socket}`, tag: imageName })
  process.stdout.write(
    [
      `export SVC_TEST_DOCKER_DIR='${dir}'`,
      `export SVC_TEST_DOCKER_SOCKET='${socket}'`,
      `export SVC_TEST_DOCKER_IMAGE='${imageName}'`,
      '',
    ].join('\n'),
  )
}

/** Ends the engine that `start` made, whatever state it is in; repeated or without one it does nothing. */
async function stop(dir) {
  if (!dir || !existsSync(dir)) return
  const pid = Number(readIfThere(join(dir, 'docker.pid')))
  if (pid > 0 && isEngine(pid, dir)) {
    await removeContainers(join(dir, 'docker.sock'))
    kill(pid, 'SIGTERM')
    const deadline = Date.now() + stopDeadlineMs
    while (isEngine(pid, dir) && Date.now() < deadline) await sleep(50)
    if (isEngine(pid, dir)) kill(pid, 'SIGKILL')
  }
  unmountBelow(dir)
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function removeContainers(socket) {
  const { body } = await ask(socket, 'GET', '/containers/json?all=true').catch(() => ({ body: '[]' }))
  const containers = JSON.parse(body)
  await Promise.all(
    containers.map(({ Id }) =>
      ask(socket, 'DELETE', `/containers/${Id}?force=true&v=true`).catch(() => null),
    ),
  )
}

/** A pid may have been given to another program meanwhile. */
function isEngine(pid, dir) {
  return readIfThere(`/proc/${pid}/cmdline`).includes(dir)
}

/** Mounts that a killed engine leaves. */
function unmountBelow(dir) {
  const mounts = readIfThere('/proc/self/mounts').split('\n')
  const below = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${dir}/`))
  for (const path of below.toReversed()) spawnSync('umount', ['-l', path])
}

async function answers(socket) {
  return ask(socket, 'GET', '/_ping').then(
    ({ status }) => status === 200,
    () => false,
  )
}

function ask(socketPath, method, path) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, timeout: 20_000 }, (incoming) => {
      let body = ''
      incoming.on('data', (chunk) => (body += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode, body }))
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function findProgram(name) {
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

function run(command, args, options) {
  const { status, stderr } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  if (status !== 0) fail(`${command} ${args.join(' ')} failed:\n${String(stderr)}`)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone.
  }
}

function say(text) {
  process.stderr.write(`start-docker: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}

const [word, dir = process.env.SVC_TEST_DOCKER_DIR] = process.argv.slice(2)
if (word === 'start') await start()
else if (word === 'stop') await stop(dir)
else fail('say start or stop')
