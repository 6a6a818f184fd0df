import { describe, expect, it } from 'vitest'
import {
  forever,
  linesOf,
  type ProgramsFixture,
  runScript,
  textOf,
  untilPhase,
  untilSaid,
} from './fixture.ts'

export function describeOutput(current: () => ProgramsFixture): void {
  describe('lines', () => {
    it('are numbered, of both streams, and waited for', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(
        programs,
        `console.log('first'); setTimeout(() => console.error('second'), 300); setTimeout(() => process.stdout.write('no end'), 600)
         setTimeout(() => process.exit(), 700)`,
        { kind: 'once' },
      )
      const seen = []
      for (let after = 0; seen.length < 3;) {
        const lines = await control.lines({ after, limit: 1, wait_ms: 10_000 }, forever)
        expect(lines.length).toBe(1)
        seen.push(...lines)
        after = seen.at(-1)?.number ?? 0
      }
      expect(seen.map(({ number, stream, line }) => [number, stream, line])).toEqual([
        [1, 'stdout', 'first'],
        [2, 'stderr', 'second'],
        [3, 'stdout', 'no end'],
      ])
      expect((await control.state(forever)).last_line).toBe(3)
      await programs.destroy(external_id)
    })

    it('hide masked values, also long ones, of several lines, and at the cut', async () => {
      const { programs } = current()
      const masked = {
        API_KEY: 's3cr3t-value',
        KEY: 's3cr3t',
        PEM: '-----BEGIN-----\nabcdefgh\n-----END-----',
      }
      const script = `
        console.log('key is ' + process.env.API_KEY + ' and ' + process.env.KEY)
        console.log(process.env.PEM)
        console.log('x'.repeat(8190) + process.env.API_KEY)
        console.log((process.env.API_KEY + ' ').repeat(900) + process.env.API_KEY)`
      const { external_id, control } = await runScript(programs, script, {
        kind: 'once',
        masked,
        environment: masked,
      })
      await untilPhase(control, 'ended')
      const text = textOf(await linesOf(control))
      expect(text).toContain('key is [API_KEY] and [KEY]')
      expect(text).toContain('[PEM]\n[PEM]\n[PEM]')
      for (const part of ['s3cr3t', 's3cr', 'abcdefgh', 'BEGIN']) expect(text).not.toContain(part)
      expect(text).toContain(' … (cut)')
      await programs.destroy(external_id)
    })

    it('are cut at 8 KiB', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(
        programs,
        `console.log('y'.repeat(8192)); console.log('x'.repeat(5_000_000)); console.log('ä'.repeat(5000)); console.log('after')`,
        { kind: 'once' },
      )
      await untilPhase(control, 'ended')
      const lines = (await linesOf(control)).map(({ line }) => line)
      expect(lines).toHaveLength(4)
      expect(lines[0]).toBe('y'.repeat(8192))
      expect(lines[1]).toBe(`${'x'.repeat(8192)} … (cut)`)
      expect(lines[2]).toBe(`${'ä'.repeat(4096)} … (cut)`)
      expect(lines[3]).toBe('after')
      await programs.destroy(external_id)
    })

    it('are dropped and counted in a flood, which holds nothing up', async () => {
      const { programs } = current()
      const { external_id, control } = await runScript(
        programs,
        `for (let n = 0; n < 200_000; n += 1) process.stdout.write('line ' + n + '\\n')
         setTimeout(() => console.log('done'), 2500)`,
        { kind: 'once' },
      )
      await untilSaid(control, 'done')
      const lines = await linesOf(control)
      expect(lines.length).toBeLessThan(30_000)
      const dropped =
        textOf(lines).match(/([\d,]+) lines are left out here: more than 1,000 came in a second/g) ?? []
      expect(dropped.length).toBeGreaterThan(0)
      const counts = dropped.map((text) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '')))
      const sum = counts.reduce((all, count) => all + count, 0)
      const printed = lines.filter(({ line }) => line.startsWith('line ')).length
      expect(sum + printed).toBe(200_000)
      await programs.destroy(external_id)
    })
  })
}
