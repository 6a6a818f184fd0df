import { createFile } from '@svc/files'
import { randomInt } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SandboxError } from '../../sandbox-error.ts'
import type { IdRange } from './processes/parse-proc.ts'
import { usersOfProcesses } from './processes/process-table.ts'

const tries = 200

/** A user id of its own for a sandbox: not claimed by another of this folder, and not in use on the machine. */
export async function claimUid(claims: string, range: IdRange, externalId: string): Promise<number> {
  const inUse = await usersOfProcesses()
  const uid = await claimOne(
    claims,
    externalId,
    'uid',
    () => range.first + randomInt(range.count),
    (id) => !inUse.has(id),
  )
  return Number(uid)
}

export interface Ports {
  readonly address: string
  readonly service_port: number
  readonly runtime_port: number
}

/** On Linux all of 127.0.0.0/8 answers, so every sandbox has the usual ports on an address of its own. */
export async function claimPorts(
  claims: string,
  externalId: string,
  wanted: Omit<Ports, 'address'>,
): Promise<Ports> {
  if (process.platform !== 'linux') {
    return { address: '127.0.0.1', service_port: await freePort(), runtime_port: await freePort() }
  }
  const address = await claimOne(claims, externalId, 'address', randomLoopback, (candidate) =>
    arePortsFree({ address: candidate, ...wanted }),
  )
  return { address, ...wanted }
}

export async function arePortsFree(ports: Ports): Promise<boolean> {
  const found = await Promise.all(
    [ports.service_port, ports.runtime_port].map((port) => listen(ports.address, port)),
  )
  return found.every((port) => port !== null)
}

export async function releaseClaims(claims: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => unlink(join(claims, name)).catch(() => undefined)))
}

/** An address outside 127.0.0.0/16, where the machine's own services sit. */
function randomLoopback(): string {
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
}

async function claimOne<T extends string | number>(
  claims: string,
  externalId: string,
  kind: string,
  draw: () => T,
  suits: (candidate: T) => boolean | Promise<boolean>,
): Promise<T> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const candidate = draw()
    if (!(await suits(candidate))) continue
    if (await createFile(join(claims, `${kind}-${candidate}`), externalId, { flush: false })) return candidate
  }
  throw new SandboxError(
    'capacity',
    `There is no free ${kind} left for a sandbox on this machine; stop other sessions, or add a machine.`,
  )
}

async function freePort(): Promise<number> {
  const port = await listen('127.0.0.1', 0)
  if (port === null)
    throw new SandboxError(
      'capacity',
      'There is no free port on this machine; stop other sessions, or add a machine.',
    )
  return port
}

function listen(address: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ host: address, port, exclusive: true }, () => {
      const bound = server.address()
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : null))
    })
  })
}
