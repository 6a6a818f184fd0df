import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createTransport, type Transporter } from 'nodemailer'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { dovecotConfig, postfixConfig, type Ports } from './mail-server-config.ts'
import { freePorts } from '../../../scripts/free-port.ts'

/** A real mail server at the border, and a real mailbox behind it, for the tests of one file. */
export interface MailServers {
  /** Names itself so in `Authentication-Results`, and vouches for `example.org` by the sender of the envelope. */
  readonly authserv_id: string
  /** Its mails go on by LMTP to `lmtp_port` of this machine. */
  readonly domain: string
  readonly lmtp_port: number
  /** Each name at `box_domain` has a mailbox. */
  readonly box_domain: string
  readonly imap: { readonly host: string; readonly port: number; readonly password: string }
  /** Hands a mail to the border, as another mail server does. */
  readonly outside: Transporter
  close(): Promise<void>
}

const installed = process.env['SVC_TEST_MAIL_DIR'] ?? '/var/cache/svc-test-mail'
const reason = `no mail servers are in ${installed}: as root, infra/ci/install-mail-servers.sh puts them there`
const startMs = 30_000
const stopMs = 10_000
const ids = { postfix: 8101, postdrop: 8102, dovecot: 8103, vmail: 8105 }

/** Tests that need mail servers: skipped with a printed reason where there are none, and failed in CI. */
export function describeWithMailServers(name: string, tests: (servers: () => MailServers) => void): void {
  if (existsSync(join(installed, 'ready')) && process.getuid?.() === 0) {
    describe(`${name} with Postfix and Dovecot`, () => {
      let servers: MailServers | undefined
      beforeAll(async () => {
        servers = await startMailServers()
      })
      afterAll(() => servers?.close())
      tests(() => {
        if (servers === undefined) throw new Error('The mail servers are not started')
        return servers
      })
    })
    return
  }
  if (process.env['CI'] === undefined) {
    console.warn(`Skipped: ${name} with Postfix and Dovecot, because ${reason}`)
    describe.skip(`${name} with Postfix and Dovecot`, () => {
      it('needs mail servers')
    })
    return
  }
  it(`${name} with Postfix and Dovecot`, () => {
    throw new Error(`Postfix and Dovecot must be there in CI: ${reason}`)
  })
}

async function startMailServers(): Promise<MailServers> {
  const root = join(installed, 'root')
  const inside = `/srv/${randomUUID().slice(0, 8)}`
  const folder = join(root, inside)
  const [smtp = 0, lmtp = 0, imap = 0, boxes = 0] = await freePorts(4)
  const ports: Ports = { smtp, lmtp, imap, boxes }
  makeFolders(folder)
  for (const [file, text] of Object.entries({
    ...postfixConfig(inside, ports),
    ...dovecotConfig(inside, ports),
  }))
    writeFileSync(join(folder, file), text)
  const log = openSync(join(folder, 'log'), 'a')
  // Each is the head of a group of its own, which it ends with itself.
  const run = (...command: string[]) =>
    spawn('chroot', [root, ...command], { stdio: ['ignore', log, log], detached: true })
  const children = [
    run('/usr/lib/postfix/sbin/master', '-c', `${inside}/postfix`, '-d'),
    run('/usr/sbin/dovecot', '-F', '-c', `${inside}/dovecot.conf`),
  ]
  closeSync(log)
  const kill = () => children.forEach((child) => child.kill('SIGTERM'))
  process.once('exit', kill)
  const close = async () => {
    process.off('exit', kill)
    await Promise.all(children.map(stop))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all([smtp, imap, boxes].map((port) => ready(port, children)))
  } catch (error) {
    const said = ['log', 'mail.log', 'dovecot.log'].map((name) => textOf(join(folder, name))).join('\n')
    await close()
    throw new Error(`The mail servers did not start: ${said}`, { cause: error })
  }
  return {
    ...{
      authserv_id: 'mx.example.net',
      domain: 'agents.example.net',
      box_domain: 'boxes.example.net',
      close,
    },
    ...{ lmtp_port: lmtp, imap: { host: '127.0.0.1', port: imap, password: 'secret' } },
    outside: createTransport({ host: '127.0.0.1', port: smtp, ignoreTLS: true }),
  }
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').slice(-3_000) : '')

function makeFolders(folder: string): void {
  const make = (name: string, uid = 0, gid = 0, mode = 0o755) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    chownSync(path, uid, gid)
    chmodSync(path, mode)
  }
  make('')
  for (const name of ['postfix', 'spool', 'spool/pid', 'run']) make(name)
  make('data', ids.postfix)
  for (const name of [
    'active',
    'bounce',
    'corrupt',
    'defer',
    'deferred',
    'flush',
    'hold',
    'incoming',
    'private',
  ])
    make(`spool/${name}`, ids.postfix, 0, 0o700)
  for (const name of ['saved', 'trace']) make(`spool/${name}`, ids.postfix, 0, 0o700)
  make('spool/public', ids.postfix, ids.postdrop, 0o710)
  make('spool/maildrop', ids.postfix, ids.postdrop, 0o730)
  make('mail', ids.vmail, ids.vmail, 0o700)
}

async function ready(port: number, children: readonly ChildProcess[]): Promise<void> {
  const end = Date.now() + startMs
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', () => resolve(false))
      socket.once('data', () => resolve(true))
      setTimeout(() => resolve(false), 5_000).unref()
      socket.once('close', () => socket.destroy())
    })
    if (isThere) return
    if (children.some(({ exitCode }) => exitCode !== null) || Date.now() > end)
      throw new Error('One ended, or took too long')
    await pause(100)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
