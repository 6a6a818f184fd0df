import { execFile } from 'node:child_process'
import { createConnection } from 'node:net'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { resolveBranch, serveGit } from '../../src/index.ts'
import { commit, testGit } from '../../src/testing/index.ts'
import { lines } from '../storage.ts'
import { at, change, clone, host, openServed, person, repository } from './served.ts'

const { serveEmpty } = await openServed()

describe('reading', () => {
  test('version 2 is advertised as git does it, and without git from the second time on', async () => {
    const flags = ['--stateless-rpc', '--http-backend-info-refs', repository.git_dir]
    const env = { GIT_PROTOCOL: 'version=2' }
    const { stdout } = await repository.runner.run(['upload-pack', ...flags], { env })
    const advertise = async (): Promise<Buffer> => {
      const [input, output] = [new PassThrough(), new PassThrough()]
      const asked = { service: 'git-upload-pack', advertise: true, git_protocol: 'version=2' } as const
      await serveGit(repository, { ...asked, input, output })
      return Buffer.concat(await output.end().toArray())
    }
    expect(stdout.toString()).toContain('ls-refs')
    expect(await advertise()).toEqual(stdout)
    const run = () => Promise.reject(new Error('git was started'))
    const again = { git_dir: repository.git_dir, signal: undefined, runner: { run } }
    expect(await repository.capabilities.of(again)).toEqual(stdout)
    await testGit(['config', 'uploadpack.allowFilter', 'false'], { git_dir: repository.git_dir })
    expect((await advertise()).toString()).not.toContain('filter')
  })

  test.each([0, 1, 2])('clone and fetch by protocol version %i', async (version) => {
    const path = await clone('-c', `protocol.version=${version}`)
    expect(await at(path, 'rev-parse', 'HEAD')).toBe(await resolveBranch(repository, 'main'))
    const tip = await commit(repository, 'main', { 'b.txt': 'b' })
    await at(path, 'fetch', '--quiet')
    expect(await at(path, 'rev-parse', 'origin/main')).toBe(tip)
  })

  test.each([0, 2])('a partial clone by version %i fetches what it lacks later', async (version) => {
    const path = await clone('-c', `protocol.version=${version}`, '--filter=blob:none', '--no-checkout')
    expect(await at(path, 'rev-list', '--objects', '--missing=print', '--all')).toContain('?')
    expect(await at(path, 'show', 'HEAD:a.txt')).toBe(lines(100).trim())
  })

  test('a shallow clone', async () => {
    await commit(repository, 'main', { 'b.txt': 'b' })
    const path = await clone('--depth=1')
    expect(await at(path, 'rev-list', '--count', 'HEAD')).toBe('1')
  })

  test('an empty repository can be cloned and pushed to', async () => {
    await serveEmpty()
    host.rules = person
    const path = await clone()
    await at(path, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    const tip = await change(path)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:main')
    expect(await resolveBranch(repository, 'main')).toBe(tip)
  })

  test('internal refs are hidden', async () => {
    await testGit(['update-ref', 'refs/svc/plan', 'refs/heads/main'], { git_dir: repository.git_dir })
    expect(await testGit(['ls-remote', host.url])).not.toContain('refs/svc')
  })

  test('a compressed request is understood', async () => {
    const tip = await testGit(['rev-parse', 'main'], { git_dir: repository.git_dir })
    const body = Buffer.from(`0032want ${tip}\n00000009done\n`)
    const request = (data: Buffer, headers: Record<string, string>) =>
      fetch(`${host.url}/git-upload-pack`, { method: 'POST', body: new Uint8Array(data), headers })
    const [plain, packed] = await Promise.all([
      request(body, {}).then((response) => response.text()),
      request(gzipSync(body), { 'content-encoding': 'gzip' }).then((response) => response.text()),
    ])
    expect(plain).toContain('PACK')
    expect(packed).toContain('PACK')
  })

  test('a signal ends the exchange and git', async () => {
    const controller = new AbortController()
    const input = new PassThrough()
    const output = new PassThrough()
    const serving = serveGit(
      { ...repository, signal: controller.signal },
      { service: 'git-upload-pack', advertise: false, input, output },
    )
    const outcome = expect(serving).rejects.toThrow('deadline')
    await expect.poll(() => running(repository.git_dir)).not.toBe('')
    controller.abort(new Error('deadline'))
    await outcome
    expect(await running(repository.git_dir)).toBe('')
  })

  test('a client that leaves takes git with it', async () => {
    const socket = createConnection(Number(new URL(host.url).port), '127.0.0.1')
    const path = new URL(host.url).pathname
    socket.write(
      `POST ${path}/git-upload-pack HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n4\r\n0032\r\n`,
    )
    await expect.poll(() => running(repository.git_dir)).not.toBe('')
    socket.destroy()
    await expect.poll(() => running(repository.git_dir)).toBe('')
  })
})

async function running(text: string): Promise<string> {
  const stdout = await new Promise<string>((resolve, reject) =>
    execFile('ps', ['-eo', 'stat,args'], (error, out) => (error ? reject(error) : resolve(out))),
  )
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'))
    .join('\n')
}
