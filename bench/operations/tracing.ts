import { createServer } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { createReader } from '../api/load.ts'
import { connections, inTurns, type Rates, type Side } from '../api/reads.ts'
import { cpuMs } from '../api/cpu.ts'
import { runBench } from '../report.ts'
import { openPlace, type ServedApi } from './place.ts'
import { bundledApis } from './untraced.ts'

const leastOff = 0.99

/** Authenticated reads with traces off beside the same API without the code for them, and with traces on. */
await runBench('operations/tracing', async ({ quick }) => {
  const plan = quick
    ? { turns: 10, turn_ms: 1_000, warm_up: 4_000 }
    : { turns: 30, turn_ms: 2_000, warm_up: 5_000 }
  const place = await openPlace()
  const collector = await startCollector()
  try {
    const programs = await bundledApis(place.folder)
    const open = async (name: string, program: URL, to?: string) =>
      place.api(name, await place.database(name), { program, ...(to !== undefined && { collector: to }) })
    const off = await sideOf(await open('off', programs.as_is))
    const without = await sideOf(await open('without', programs.untraced))
    const on = await sideOf(await open('traced', programs.as_is, collector.url))
    const figures = {
      off_beside_without: await inTurns(plan, off.side, without.side),
      on_beside_off: await inTurns(plan, on.side, off.side),
      exports: collector.exports(),
    }
    for (const one of [off, without, on]) one.close()
    const { off_beside_without: never, on_beside_off: traced } = figures
    return {
      verdicts: [
        {
          what: 'an authenticated read with traces off, beside the code without them',
          promise: `at least ${leastOff}x its rate`,
          measured: words(never),
          held: never.ratio >= leastOff,
        },
        {
          what: 'the same with traces on, beside off',
          promise: 'a figure',
          measured: words(traced),
          held: true,
        },
      ],
      figures,
    }
  } finally {
    await place.close()
    await collector.close()
  }
})

function words({ ours_per_second, peer_per_second, ratio, cpu_ms }: Rates): string {
  const cpu =
    cpu_ms === null ? '' : `, ${cpu_ms.ours} ms of processor beside ${cpu_ms.peer} ms (${cpu_ms.ratio}x)`
  return `${ours_per_second}/s beside ${peer_per_second}/s: ${ratio}x${cpu}`
}

async function sideOf({ client, origin, token, child }: ServedApi): Promise<{ side: Side; close(): void }> {
  const { project_id } = await client.projects.provision({ name: 'read' })
  const headers = { authorization: `Bearer ${token}` }
  const reader = createReader(`${origin}/v1/projects/${project_id}`, headers, connections)
  return { side: [reader, 200, () => cpuMs(child.pid)], close: () => reader.close() }
}

/** Takes every span, and forgets it. */
async function startCollector() {
  let exports = 0
  const server = createServer(async (request, response) => {
    await json(request)
    exports += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    exports: () => exports,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
