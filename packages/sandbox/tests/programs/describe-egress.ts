import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorityText } from '../../src/network/authority.ts'
import { type Egress, judge } from '../../src/network/egress.ts'
import { reachOf } from '../../src/network/reach.ts'
import type { Programs } from '../../src/index.ts'
import { linesOf, runScript, untilPhase } from '../../src/testing/programs/fixture.ts'
import { openOutside, type Outside } from '../egress-outside.ts'
import { settings, targets } from '../egress-table.ts'

export interface EgressPlace {
  readonly programs: Programs
  dispose(): Promise<void>
}

/** Tries each target twice, past the proxy and by it, and says what it reached. */
const script = (tried: readonly string[]) => `import { connect } from 'node:net'
// Where nothing is to be reached, a provider may give no proxy at all.
const proxy = process.env.HTTPS_PROXY ? new URL(process.env.HTTPS_PROXY) : null
const reached = (options, opening, good) => new Promise((resolve) => {
  const socket = connect({ ...options, timeout: 5000 }, () => opening === null ? end(true) : socket.write(opening))
  const end = (answer) => { socket.destroy(); resolve(answer) }
  socket.on('data', (data) => end(String(data).includes(good)))
  socket.on('error', () => end(false)).on('close', () => end(false)).on('timeout', () => end(false))
})
for (const target of ${JSON.stringify(tried)}) {
  const { hostname, port } = new URL('http://' + target)
  const host = hostname.replace(/^\\[|\\]$/g, '')
  if (await reached({ host, port: Number(port || 80) }, null)) console.log('past the proxy: ' + target)
  if (proxy === null) continue
  const opening = 'CONNECT ' + target + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'
  if (await reached({ host: proxy.hostname, port: Number(proxy.port) }, opening, ' 200 ')) console.log(target)
}
`

/** A program of an app reaches what sandboxes do beyond the platform, and of the platform nothing. */
export function describeProgramEgress(
  name: string,
  open: (egress: Egress, api_url: string) => Promise<EgressPlace>,
): void {
  describe(`the way out of programs in ${name}`, () => {
    let outside: Outside
    let api: Server
    let api_url: string

    beforeAll(async () => {
      outside = await openOutside()
      api = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await once(api, 'listening')
      api_url = `http://127.0.0.1:${Object(api.address()).port}/v1`
    })
    afterAll(async () => {
      api.close()
      await outside.close()
    })

    it.each(Object.entries(settings))('leads where the rule lets it: %s', async (_, egress) => {
      const { programs, dispose } = await open({ ...egress, connect: outside.connect }, api_url)
      try {
        const tried = [new URL(api_url).host, ...targets.map(authorityText)]
        const { control } = await runScript(programs, script(tried), { kind: 'once' })
        await untilPhase(control, 'ended')
        const allowed: string[] = []
        for (const target of targets)
          if ((await judge(target, reachOf({}), egress)).allowed) allowed.push(authorityText(target))
        expect((await linesOf(control)).map(({ line }) => line)).toEqual(allowed)
        expect((await control.state(new AbortController().signal)).last_exit).toMatchObject({ code: 0 })
      } finally {
        await dispose()
      }
    })
  })
}
