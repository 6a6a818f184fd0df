import { describe, expect, it } from 'vitest'
import {
  aProgram,
  filesOf,
  forever,
  openSandbox,
  type ProgramsFixture,
  runScript,
  type Running,
  untilPhase,
} from './fixture.ts'
import { smallApp } from './small-app.ts'
import { frontOf, page, readAll, visit } from './visit.ts'

export function describeFront(current: () => ProgramsFixture): void {
  const ready = async (): Promise<Running> => {
    const running = await runScript(current().programs, smallApp)
    await untilPhase(running.control, 'ready')
    return running
  }

  describe('visitors', () => {
    it('reach a program that listens on loopback, at a port of its own', async () => {
      const { programs } = current()
      const { external_id, control } = await ready()
      const front = await frontOf(programs, external_id)
      expect(await page(front, '/')).toBe('hello')
      const { port, last_byte_at } = await control.state(forever)
      expect(port).toBeGreaterThan(0)
      expect(Date.now() - Date.parse(last_byte_at ?? '')).toBeLessThan(60_000)
      const body = Buffer.alloc(3_000_000, 'b')
      const echoed = await readAll(await visit(front, '/echo', { method: 'POST', body }))
      expect(echoed).toHaveLength(body.length)
      await front.close()
      await programs.destroy(external_id)
    })

    it('hear of a program that does not listen, and that nothing of the request reached it', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(programs, 'setInterval(() => {}, 1000)')
      const front = await frontOf(programs, external_id)
      const answer = await visit(front, '/', { method: 'POST', body: 'x'.repeat(100_000) })
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['x-svc-program']).toBe('away')
      await expect.poll(async () => (await control.state(forever)).connections).toBe(0)
      await front.close()
      await programs.destroy(external_id)
    })

    it('keep streams and other protocols open, which are counted', async () => {
      const { programs } = current()
      const { external_id, control } = await ready()
      const front = await frontOf(programs, external_id)
      const events = await visit(front, '/events')
      let seen = ''
      events.setEncoding('utf8').on('data', (part: string) => (seen += part))
      await expect.poll(() => seen).toContain('data: 5')
      const socket = await front.connect()
      socket.write('GET /socket HTTP/1.1\r\nHost: app\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
      let received = ''
      socket.setEncoding('utf8').on('data', (part: string) => (received += part))
      await expect.poll(() => received).toContain('101 Switching Protocols')
      socket.write('ping over raw bytes')
      await expect.poll(() => received).toContain('ping over raw bytes')
      expect((await control.state(forever)).connections).toBe(2)
      events.destroy()
      socket.destroy()
      await expect.poll(async () => (await control.state(forever)).connections).toBe(0)
      await front.close()
      await programs.destroy(external_id)
    })

    it('come two hundred at once', async () => {
      const { programs } = current()
      const { external_id, control } = await ready()
      const front = await frontOf(programs, external_id)
      const pages = await Promise.all(Array.from({ length: 200 }, () => page(front, '/')))
      expect(new Set(pages)).toEqual(new Set(['hello']))
      await expect.poll(async () => (await control.state(forever)).connections).toBe(0)
      await front.close()
      await programs.destroy(external_id)
    })

    it('come to two proxies at once', async () => {
      const { programs } = current()
      const { external_id } = await ready()
      const fronts = [await frontOf(programs, external_id), await frontOf(programs, external_id)] as const
      expect(await Promise.all(fronts.map((front) => page(front, '/')))).toEqual(['hello', 'hello'])
      await fronts[0].close()
      expect(await page(fronts[1], '/')).toBe('hello')
      await fronts[1].close()
      await programs.destroy(external_id)
    })

    it('get no control without its token', async () => {
      const { programs } = current()
      const { external_id, control } = await ready()
      const endpoint = await programs.front(external_id)
      if (endpoint === null) throw new Error('The program has no front')
      for (const preface of ['svc-control wrong\n', 'svc-control \n', `svc-control ${'x'.repeat(4_000)}`]) {
        const front = await frontOf(programs, external_id)
        const socket = await front.connect()
        socket.write(`${preface}GET /state HTTP/1.1\r\nHost: program\r\n\r\n`)
        let answered = ''
        socket
          .setEncoding('utf8')
          .on('data', (part: string) => (answered += part))
          .on('error', () => undefined)
        await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
        socket.destroy()
        expect(answered).toBe('')
        await front.close()
      }
      // The words of the control, sent as a visitor does, are for the program.
      const front = await frontOf(programs, external_id)
      expect((await visit(front, '/state')).statusCode).toBe(404)
      await front.close()
      const foreign = await programs.control(external_id, 'another')
      await expect(foreign?.state(forever)).rejects.toMatchObject({ kind: 'network' })
      expect((await control.state(forever)).phase).toBe('ready')
      await programs.destroy(external_id)
    })

    it('reach a program at the port that it asked for, where that can be kept', async () => {
      const { programs, real } = current()
      const { external_id, control } = await openSandbox(programs)
      await control.put(filesOf({ 'main.mjs': smallApp }), forever)
      await control.start(aProgram({ port: 8000 }), forever)
      await untilPhase(control, 'ready')
      const { port } = await control.state(forever)
      if (real?.shared === true) {
        expect(port).not.toBe(8000)
        expect((await control.lines({ after: 0, limit: 1, wait_ms: 0 }, forever))[0]?.line).toContain(
          'port 8000 is not kept',
        )
      } else expect(port).toBe(8000)
      const front = await frontOf(programs, external_id)
      expect(await page(front, '/')).toBe('hello')
      await front.close()
      await programs.destroy(external_id)
    })
  })
}
