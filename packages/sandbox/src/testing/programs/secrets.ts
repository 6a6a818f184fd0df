import { describe, expect, it } from 'vitest'
import {
  aProgram,
  filesOf,
  forever,
  openSandbox,
  type ProgramsFixture,
  realOf,
  untilPhase,
} from './fixture.ts'
import { smallApp } from './small-app.ts'
import { frontOf, page } from './visit.ts'

export function describeSecrets(current: () => ProgramsFixture): void {
  describe('secrets', () => {
    it('are in no record, command line or engine, and the program has none of svc-appd', async () => {
      const { programs } = current()
      const { external_id, control, token } = await openSandbox(programs)
      await control.put(filesOf({ 'main.mjs': smallApp }), forever)
      const secret = `marked-${token}`
      const environment = { API_KEY: secret, PATH_OF_MINE: '1' }
      await control.start(aProgram({ environment, masked: { API_KEY: secret } }), forever)
      await untilPhase(control, 'ready')
      const front = await frontOf(programs, external_id)
      const own: Record<string, string> = JSON.parse(await page(front, '/env'))
      expect(own).toMatchObject(environment)
      expect(own['PORT']).toBe(String((await control.state(forever)).port))
      expect(own['HOST']).toBe(realOf(current()).shared ? '127.0.0.1' : undefined)
      for (const name of ['PATH', 'HOME', 'LANG']) expect(own[name], name).toBeTruthy()
      expect(Object.keys(own).filter((name) => name.startsWith('SVC_') && name !== 'SVC_SANDBOX_ID')).toEqual(
        [],
      )
      expect(JSON.stringify(Object.entries(own).filter(([name]) => name !== 'API_KEY'))).not.toContain(token)
      const seen = await realOf(current()).seen(external_id)
      expect(seen).toContain(external_id)
      expect(seen).not.toContain(secret)
      expect(seen).not.toContain(token)
      await front.close()
      await programs.destroy(external_id)
    })
  })
}
