import { describe, expect, it } from 'vitest'
import { forever, type ProgramsFixture, realOf, runScript, untilPhase, untilSaid } from './fixture.ts'
import { smallApp } from './small-app.ts'
import { frontOf, page, visit } from './visit.ts'

export function describeEnds(current: () => ProgramsFixture): void {
  describe('starts and ends', () => {
    it('are ready once the path answers well, and not before', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(programs, smallApp, {
        environment: { READY_AFTER: '2' },
        readiness_path: '/ready',
      })
      await untilSaid(control, 'listens on')
      expect((await control.state(forever)).phase).toBe('starting')
      await untilPhase(control, 'ready')
      await programs.destroy(external_id)
    })

    it('fail with the last words of a program that is not ready in time', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(
        programs,
        'console.log("I only sleep"); setInterval(() => {}, 1000)',
        { timeout_ms: 1_500 },
      )
      await untilPhase(control, 'failed')
      const { reason, exits } = await control.state(forever)
      expect(reason).toMatch(
        /It was not ready within 1.5 s: nothing listens on port \d+ \(PORT\)\.\nI only sleep/,
      )
      expect(exits).toBe(0)
      await programs.destroy(external_id)
    })

    it('end one that was to end, and did not in time', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(programs, 'setInterval(() => {}, 1000)', {
        kind: 'once',
        timeout_ms: 700,
      })
      await untilPhase(control, 'failed')
      expect((await control.state(forever)).reason).toContain('It did not end within 0.7 s.')
      await programs.destroy(external_id)
    })

    it('tell how one that was to end has ended', async () => {
      const { programs } = current()
      for (const [script, end] of [
        ['process.exit(3)', { code: 3, signal: null }],
        ['process.kill(process.pid, "SIGKILL")', { code: null, signal: 'SIGKILL' }],
      ] as const) {
        const { external_id, control } = await runScript(programs, script, { kind: 'once' })
        await untilPhase(control, 'ended')
        expect((await control.state(forever)).last_exit).toMatchObject(end)
        await programs.destroy(external_id)
      }
    })

    it('start one that ended again, and give up after five ends', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(programs, smallApp)
      await untilPhase(control, 'ready')
      const front = await frontOf(programs, external_id)
      const first = JSON.parse(await page(front, '/whoami')).pid
      await visit(front, '/exit?code=7')
      await expect.poll(async () => (await control.state(forever)).exits).toBe(1)
      await untilPhase(control, 'ready')
      expect(JSON.parse(await page(front, '/whoami')).pid).not.toBe(first)
      for (let end = 2; end <= 5; end += 1) {
        await visit(front, '/exit?code=7')
        await expect.poll(async () => (await control.state(forever)).exits).toBe(end)
        if (end < 5) await untilPhase(control, 'ready')
      }
      const state = await control.state(forever)
      expect(state).toMatchObject({ phase: 'failed', last_exit: { code: 7 } })
      expect(state.reason).toMatch(/It ended 5 times in 10 minutes.*exited with code 7\.\n[^]*listens on/)
      // Its sandbox stands, and says so until it is removed.
      expect(await programs.status(external_id)).toBe('running')
      await front.close()
      await programs.destroy(external_id)
    })

    it('say that a command is not there', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(programs, '', { command: ['svc-no-such-command'] })
      await untilPhase(control, 'failed')
      expect((await control.state(forever)).reason).toBe(
        'The command svc-no-such-command is not in this sandbox.',
      )
      await programs.destroy(external_id)
    })

    it('drain with the signal, and by force after the grace', async () => {
      const { programs } = current()
      const script = `process.on('SIGTERM', () => { console.log('asked to end'); if (process.env.POLITE) process.exit(0) })
        console.log('up')
        setInterval(() => {}, 1000)`
      for (const [environment, end] of [
        [{ POLITE: '1' }, { code: 0, signal: null }],
        [{}, { code: null, signal: 'SIGKILL' }],
      ] as const) {
        const { external_id, control } = await runScript(programs, script, { environment })
        await untilSaid(control, 'up')
        await control.drain('POLITE' in environment ? 30_000 : 500, forever)
        expect(await control.state(forever)).toMatchObject({ phase: 'ended', last_exit: end, exits: 0 })
        await untilSaid(control, 'asked to end')
        await programs.destroy(external_id)
      }
    })

    it('take along what a program started', async () => {
      const { programs } = current()
      const script = `
        import { spawn } from 'node:child_process'
        const script = "setInterval(() => {}, 1000); console.log('child ' + process.pid)"
        spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
        setTimeout(() => process.exit(0), 1500)`
      const { external_id, control } = await runScript(programs, script, { kind: 'once' })
      await untilPhase(control, 'ended')
      await programs.destroy(external_id)
    })

    it('show the end of svc-appd itself as that of the sandbox', async () => {
      const { programs } = current()
      const { external_id, token, control } = await runScript(programs, smallApp)
      await untilPhase(control, 'ready')
      await realOf(current()).crash(external_id)
      await expect.poll(() => programs.status(external_id)).toBe('stopped')
      expect((await programs.exitReport(external_id)).exit).toContain('SIGKILL')
      expect(await programs.control(external_id, token)).toBeNull()
      await expect(control.state(forever)).rejects.toMatchObject({ kind: 'network', retryable: true })
      await programs.destroy(external_id)
      expect(await programs.status(external_id)).toBe('removed')
    })

    it('are seen by every process of the platform', async () => {
      const { programs } = current()
      const { external_id, token, control } = await runScript(programs, smallApp)
      await untilPhase(control, 'ready')
      const other = await realOf(current()).another()
      expect(await other.list()).toContain(external_id)
      const second = await other.control(external_id, token)
      expect((await second?.state(forever))?.phase).toBe('ready')
      await other.close()
      expect((await control.state(forever)).phase).toBe('ready')
      await programs.destroy(external_id)
    })
  })
}
