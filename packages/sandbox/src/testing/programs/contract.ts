import { describe, expect, it } from 'vitest'
import { aProgram, aSandbox, filesOf, forever, openSandbox, type ProgramsFixture } from './fixture.ts'

export function describeContract(current: () => ProgramsFixture): void {
  describe('a sandbox of a program', () => {
    it('is one sandbox for one id, however often it is made', async () => {
      const { programs } = current()
      const sandbox = aSandbox()
      const first = await programs.create(sandbox, forever)
      const second = await programs.create(sandbox, forever)
      expect(second).toEqual(first)
      expect([null, first.external_id]).toContain(programs.identify(sandbox.sandbox_id))
      expect(await programs.list()).toContain(first.external_id)
      expect(await programs.status(first.external_id)).toBe('running')
      await programs.destroy(first.external_id)
    })

    it('waits for files and a program', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      expect(await control.state(forever)).toMatchObject({
        ...{ phase: 'empty', port: null, exits: 0, last_exit: null, reason: null },
        ...{ connections: 0, last_byte_at: null },
      })
      await control.put(filesOf({ 'a/b.txt': 'one' }), forever)
      await control.put(filesOf({ 'a/b.txt': 'two' }), forever)
      expect((await control.state(forever)).phase).toBe('empty')
      await control.close()
      await programs.destroy(external_id)
    })

    it('takes no files once its program is started, and starts it once', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      await control.put(filesOf({ 'main.mjs': 'setInterval(() => {}, 1000)' }), forever)
      const program = aProgram()
      const state = await control.start(program, forever)
      expect(state.phase).toBe('starting')
      expect((await control.start({ ...program, command: ['/nonexistent'] }, forever)).phase).not.toBe(
        'failed',
      )
      await expect(control.put(filesOf({ x: '' }), forever)).rejects.toMatchObject({ name: 'SandboxError' })
      await control.drain(0, forever)
      expect(await control.state(forever)).toMatchObject({ phase: 'ended', exits: 0 })
      await control.drain(0, forever)
      await programs.destroy(external_id)
    })

    it('is gone once it is destroyed, which may be repeated', async () => {
      const { programs } = current()
      const { external_id, token } = await openSandbox(programs)
      await programs.destroy(external_id)
      await programs.destroy(external_id)
      expect(await programs.status(external_id)).toBe('removed')
      expect(await programs.control(external_id, token)).toBeNull()
      expect(await programs.front(external_id)).toBeNull()
      expect(await programs.list()).not.toContain(external_id)
    })

    it('answers nothing to a caller who left', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      const asked = control.lines({ after: 0, limit: 10, wait_ms: 60_000 }, AbortSignal.timeout(50))
      await expect(asked).rejects.toMatchObject({ name: expect.stringMatching(/Abort|Timeout/) })
      await programs.destroy(external_id)
    })
  })
}
