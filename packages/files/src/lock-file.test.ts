import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockFile, whileLocked } from './lock-file.ts'
import { holderText } from './lock-holder.ts'
import { identify } from './process-identity.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lock-'))
  path = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true }))

const refusal = (pid: number | null) => new Error(`held by ${pid}`)
const atOnce = { timeoutMs: 0, refusal }
const patient = { timeoutMs: 10_000, refusal }

/** Counts how many hold the lock at the same moment. */
function crowd() {
  let inside = 0
  let most = 0
  const enter = () =>
    whileLocked(path, patient, async () => {
      inside += 1
      most = Math.max(most, inside)
      await turn()
      await readdir(folder)
      inside -= 1
    })
  return { enter, most: () => most }
}

describe('whileLocked', () => {
  test('gives back what the work gives, and leaves nothing behind', async () => {
    expect(await whileLocked(path, atOnce, async () => 7)).toBe(7)
    expect(await readdir(folder)).toEqual([])
  })

  test('is released when the work fails', async () => {
    const broken = whileLocked(path, atOnce, () => Promise.reject(new Error('broken')))
    await expect(broken).rejects.toThrow('broken')
    expect(await whileLocked(path, atOnce, async () => 'again')).toBe('again')
  })

  test('lets one in at a time', async () => {
    const { enter, most } = crowd()
    await Promise.all(Array.from({ length: 12 }, enter))
    expect(most()).toBe(1)
  })
})

describe('lockFile', () => {
  test('names its holder, and refuses while that lives', async () => {
    const lock = await lockFile(path, atOnce)
    const began = (await identify(process.pid))?.began
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid, began })
    await expect(lockFile(path, atOnce)).rejects.toThrow(`held by ${process.pid}`)
    await lock.release()
    expect(await readdir(folder)).toEqual([])
  })

  test('waits for the one before', async () => {
    const lock = await lockFile(path, atOnce)
    const next = lockFile(path, patient)
    await lock.release()
    await (await next).release()
  })

  test('releases its own lock only', async () => {
    const lock = await lockFile(path, atOnce)
    await writeFile(path, 'of another')
    await lock.release()
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('a file that cannot be read is not waited for', async () => {
    await expect(lockFile(folder, patient)).rejects.toMatchObject({ code: 'EISDIR' })
  })

  test('a living process keeps its lock, a dead one does not', async () => {
    const other = spawn('sleep', ['600'])
    await once(other, 'spawn')
    await writeFile(path, await holderText(other.pid ?? 0))
    await expect(lockFile(path, atOnce)).rejects.toThrow(`held by ${other.pid}`)
    other.kill('SIGKILL')
    await once(other, 'exit')
    await lockFile(path, atOnce)
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test.runIf(process.platform === 'linux')('a zombie does not keep its lock', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [pid] = await once(parent.stdout, 'data')
    await writeFile(path, await holderText(Number(pid)))
    await expect(lockFile(path, atOnce)).rejects.toThrow('held by')
    // A shell that has not become `sleep` yet would reap it; one that is stopped cannot.
    parent.kill('SIGSTOP')
    process.kill(Number(pid), 'SIGKILL')
    await (await lockFile(path, patient)).release()
    process.kill(Number(pid), 0)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })

  test.each([
    ['another process that has the id now', JSON.stringify({ pid: process.pid, began: 'long ago' })],
    ['the same, as earlier releases wrote it', `${process.pid} 12345`],
    ['none that it names', 'gibberish'],
    ['none, since a crash left it empty', ''],
    ['a number', '5'],
  ])('a lock is taken over once when it belonged to %s', async (_, text) => {
    await writeFile(path, text)
    const { enter, most } = crowd()
    await Promise.all(Array.from({ length: 12 }, enter))
    expect(most()).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })

  test('so it is where the process that was about to remove it died as well', async () => {
    await writeFile(path, 'gibberish')
    const digest = createHash('sha256').update('gibberish').digest('hex').slice(0, 16)
    await writeFile(`${path}.stale-${digest}`, JSON.stringify({ pid: process.pid, began: 'long ago' }))
    await (await lockFile(path, atOnce)).release()
    expect(await readdir(folder)).toEqual([])
  })

  test.runIf(process.platform === 'linux')(
    'a data directory that an earlier release has claimed stays its own',
    async () => {
      const began = (await identify(process.pid))?.began ?? ''
      await writeFile(path, `${process.pid} ${began.slice(began.indexOf(':') + 1)}`)
      await expect(lockFile(path, atOnce)).rejects.toThrow(`held by ${process.pid}`)
    },
  )

  test('the lock of another machine or container is kept until it is too old', async () => {
    const here = JSON.parse(await holderText(process.pid))
    await writeFile(path, JSON.stringify({ ...here, pid: 2 ** 22, place: 'elsewhere' }))
    const shared = { ...atOnce, unseenMs: 60_000 }
    await expect(lockFile(path, shared)).rejects.toThrow(`held by ${2 ** 22}`)
    const before = new Date(Date.now() - 60_000)
    await utimes(path, before, before)
    await (await lockFile(path, shared)).release()
  })
})
