import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { TestBucket } from '@svc/objects/testing'
import { freePorts } from '../../../scripts/free-port.ts'
import { proxyConf, serverConf } from './swift-conf.ts'

const installed = process.env['SVC_TEST_SWIFT_DIR'] ?? '/var/cache/svc-test-swift'
const startMs = 120_000

/** Null where a Swift can be started; else the reason why not. */
export const noSwift =
  existsSync(join(installed, 'ready')) && process.getuid?.() === 0
    ? null
    : `no Swift is in ${installed}: as root, infra/ci/install-swift.sh puts it there`

const roles = ['account', 'container', 'object'] as const

/** The object server names its finished files by /proc, and says nothing where there is none: they are then lost. */
const withProc = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'

/** A bucket of a Swift of its own: one proxy, and one of each server behind it, with one copy of everything. */
export async function openSwiftBucket(): Promise<TestBucket> {
  const root = join(installed, 'root')
  const inside = `/srv/${randomUUID()}`
  const folder = join(root, inside)
  mkdirSync(join(folder, 'node/disk'), { recursive: true })
  const [proxy = 0, cache = 0, ...ports] = await freePorts(2 + roles.length)
  for (const [index, role] of roles.entries()) {
    const port = ports[index] ?? 0
    writeFileSync(join(folder, `${role}.conf`), serverConf(inside, role, port))
    const builder = `${inside}/${role}.builder`
    for (const step of [
      ['create', '4', '1', '0'],
      ['add', `r1z1-127.0.0.1:${port}/disk`, '1'],
      ['rebalance'],
    ])
      execFileSync('chroot', [root, '/usr/bin/swift-ring-builder', builder, ...step])
  }
  writeFileSync(join(folder, 'proxy.conf'), proxyConf(inside, proxy, cache))

  const log = openSync(join(folder, 'log'), 'w')
  const run = (...command: string[]) =>
    spawn('unshare', ['--mount', 'sh', '-c', withProc, root, ...command], { stdio: ['ignore', log, log] })
  const children = [
    run('/usr/bin/memcached', '-u', 'root', '-l', '127.0.0.1', '-p', String(cache)),
    ...[...roles, 'proxy'].map((role) => run(`/usr/bin/swift-${role}-server`, `${inside}/${role}.conf`)),
  ]
  const kill = () => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await Promise.all(
      children.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')),
    )
  }
  const endpoint = `http://127.0.0.1:${proxy}`
  const keys = { access_key: 'acme:tests', secret_key: 'secret' }
  const client = new S3Client({
    ...{ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 },
    credentials: { accessKeyId: keys.access_key, secretAccessKey: keys.secret_key },
  })
  try {
    await createBucket(client)
  } catch (error) {
    await stop()
    const said = readFileSync(join(folder, 'log'), 'utf8').slice(-4_000)
    throw new Error(`Swift did not start (${String(error)}): ${said}`)
  }
  return {
    keys,
    place: (prefix) => `s3://acme/${prefix}?endpoint=${endpoint}&path_style=true`,
    remove: () => removeBucket(client),
    async close() {
      client.destroy()
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const Bucket = 'acme'

async function createBucket(client: S3Client): Promise<void> {
  const end = Date.now() + startMs
  for (;;) {
    try {
      return void (await client.send(new CreateBucketCommand({ Bucket })))
    } catch (error) {
      if (Date.now() > end) throw error
      await pause(200)
    }
  }
}

async function removeBucket(client: S3Client): Promise<void> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
  for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }))
  await client.send(new DeleteBucketCommand({ Bucket }))
}
