import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from './support/dialects.ts'
import { describeDaemon } from './support/each-file.ts'

describeDaemon(pi, '127.41.0.97', (sandbox) => {
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

  async function put(
    content: Uint8Array<ArrayBuffer>,
    query: Readonly<Record<string, string>>,
    headers: Record<string, string> = { authorization: `Bearer ${sandbox().key}` },
  ) {
    const asked = new URLSearchParams({ sha256: digest(content), ...query })
    const address = `http://${sandbox().address}:8000/svc/inbox?${asked}`
    const answer = await fetch(address, { method: 'POST', headers, body: content })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const inbox = () => join(sandbox().workspace, '.svc', 'inbox')
  const status = () =>
    execFileSync('git', ['-C', sandbox().workspace, 'status', '--porcelain'], { encoding: 'utf8' })

  test('a file is in the inbox of its message, whole, hidden from git, and there once however often it is sent', async () => {
    sandbox().start()
    await sandbox().ready()
    const [message, content] = [randomUUID(), Buffer.from([0, 1, 255, 10])]
    const sent = () => put(content, { message, name: 'data.bin' })
    expect(await sent()).toEqual({ status: 200, body: { ok: true } })
    const place = join(inbox(), message, 'data.bin')
    expect(readFileSync(place)).toEqual(content)
    expect(statSync(place).mode & 0o111).toBe(0)
    const { ino } = statSync(place)
    expect((await sent()).status).toBe(200)
    expect(statSync(place).ino).toBe(ino)
    // One that is not what was sent is replaced.
    writeFileSync(place, 'other')
    expect((await sent()).status).toBe(200)
    expect(readFileSync(place)).toEqual(content)
    expect(readdirSync(join(inbox(), message))).toEqual(['data.bin'])
    expect(status()).toBe('')
  })

  test('a file of 20 MiB is taken, and one that is larger or not as it was sent leaves nothing', async () => {
    const message = randomUUID()
    const most = Buffer.alloc(20 * 1024 * 1024, 7)
    expect((await put(most, { message, name: 'most.bin' })).status).toBe(200)
    const more = Buffer.alloc(most.length + 1)
    expect((await put(more, { message, name: 'more.bin' }).catch(() => ({ status: 413 }))).status).toBe(413)
    const broken = await put(Buffer.from('x'), { message, name: 'broken', sha256: '0'.repeat(64) })
    expect(broken).toMatchObject({ status: 400, body: { code: 'broken_file' } })
    expect(readdirSync(join(inbox(), message))).toEqual(['most.bin'])
  })

  test('names that lead elsewhere, links in its way and people are refused', async () => {
    const [message, content] = [randomUUID(), Buffer.from('x')]
    for (const name of ['..', '.', 'a/b', '../x', 'ä', '', 'x'.repeat(121)])
      expect((await put(content, { message, name })).status, name).toBe(400)
    expect((await put(content, { message: '../..', name: 'x' })).status).toBe(400)
    const asUser = { 'x-svc-user-context': sandbox().userContext('owner') }
    expect((await put(content, { message, name: 'x' }, asUser)).status).toBe(403)
    expect((await put(content, { message, name: 'x' }, {})).status).toBe(401)

    const elsewhere = join(sandbox().workspace, '..', 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(inbox(), { recursive: true })
    symlinkSync(elsewhere, join(inbox(), message))
    expect(await put(content, { message, name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'no_inbox' },
    })
    expect(readdirSync(elsewhere)).toEqual([])
    rmSync(join(inbox(), message))
    expect((await put(content, { message, name: 'x' })).status).toBe(200)
  })
})
