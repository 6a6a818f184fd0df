import { once } from 'node:events'
import { z } from 'zod'
import { type Paired, paired } from '../apps/paired.ts'
import { startChild, stopChild } from '../child.ts'
import { openPlace } from '../operations/place.ts'
import { runBench, type Verdict } from '../report.ts'

const Served = z.object({ origin: z.url(), token: z.string(), external_ids: z.array(z.string()).min(1) })
/** Enough for no sandbox to be asked more often in a minute than it may be. */
const sandboxes = 40
const megabytes = 64

await runBench('sandbox-proxy', async ({ quick }) => {
  const place = await openPlace()
  const daemon = startChild(new URL('daemon.ts', import.meta.url), [])
  const { url } = z.object({ url: z.url() }).parse((await once(daemon, 'message'))[0])
  const args = [place.folder, await place.database('proxied'), url, String(sandboxes)]
  const api = startChild(new URL('server.ts', import.meta.url), args)
  try {
    const { origin, token, external_ids } = Served.parse((await once(api, 'message'))[0])
    let turn = 0
    const ways = (path: string) =>
      [
        {
          url: () => `${origin}/v1/p/${external_ids[(turn += 1) % external_ids.length]}/3000/${path}`,
          headers: { authorization: `Bearer ${token}` },
        },
        { url: `${url}/proxy/3000/${path}`, headers: {} },
      ] as const
    const turns = quick ? 5 : 21
    const streamed = await paired(ways('large'), { connections: 1, turns, ms: 1_000 })
    const small = await paired(ways('small'), { connections: 1, turns, ms: 400 })
    return { figures: { streamed, small }, verdicts: verdictsOf(streamed, small) }
  } finally {
    await stopChild(api)
    await stopChild(daemon)
    await place.close()
  }
})

function verdictsOf(streamed: Paired, small: Paired): Verdict[] {
  return [
    {
      what: `a body of ${megabytes} MiB, streamed, beside the daemon asked directly`,
      promise: 'at least 0.7x its throughput',
      measured: `${streamed.through * megabytes} MiB/s beside ${streamed.direct * megabytes} MiB/s: ${streamed.ratio}x`,
      held: streamed.ratio >= 0.7,
    },
    {
      what: 'an answer of 1 KiB over one connection, beside the daemon asked directly',
      promise: 'at most 1 ms more at p50',
      measured: `${small.through}/s beside ${small.direct}/s: +${small.added_ms} ms`,
      held: small.added_ms <= 1,
    },
  ]
}
