import { round, summarise, type Summary } from '../measure.ts'
import type { Verdict } from '../report.ts'
import { numberOf, type Page, type Tab } from './tab.ts'

const promised = { lcp_ms: 1_000, slow_lcp_ms: 2_500, script_kb: 200, style_kb: 20 }
/** 1.6 Mbit/s each way, and 150 ms to each answer. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }

/** The largest paint so far; the page tells of those before it was asked as well. */
const largestPaint = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`

/** Home, loaded again and again with a cold cache, on loopback and through a slow line, and then left alone. */
export async function loads(
  tab: Tab,
  { turns, idle_ms }: { readonly turns: number; readonly idle_ms: number },
) {
  const { page } = tab
  const home = `${tab.platform.origin}/dashboard/`
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  const [near, far] = [[] as number[], [] as number[]]
  for (let turn = -1; turn < turns; turn += 1) {
    const quick = await paint(page, home)
    await line.send('Network.emulateNetworkConditions', slow)
    const late = await paint(page, home)
    await line.send('Network.emulateNetworkConditions', {
      ...slow,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    if (turn < 0) continue
    near.push(quick)
    far.push(late)
  }
  const weight = await weightOf(tab, home)
  await line.detach()
  const idle_requests = await requestsWhile(page, idle_ms)
  const [loopback, slow_line] = [summarise(near), summarise(far)]
  return {
    loopback,
    slow_line,
    ...weight,
    idle_ms,
    idle_requests,
    verdicts: [
      paintVerdict('largest paint of Home, loopback', loopback, promised.lcp_ms),
      paintVerdict('largest paint of Home, 1.6 Mbit/s and 150 ms', slow_line, promised.slow_lcp_ms),
      weightVerdict('script before lazy routes', weight.script_kb, promised.script_kb),
      weightVerdict('styles', weight.style_kb, promised.style_kb),
      {
        what: 'requests to other origins',
        promise: '0',
        measured: String(weight.foreign),
        held: weight.foreign === 0,
      },
      {
        what: `requests of an idle page in ${idle_ms / 1_000} s`,
        promise: '0 beside its stream',
        measured: String(idle_requests),
        held: idle_requests === 0,
      },
    ] satisfies Verdict[],
  }
}

async function paint(page: Page, address: string): Promise<number> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' })
  return numberOf(page, largestPaint)
}

/** Bytes as they are sent, in thousands: of what the page itself names, and the requests that leave this origin. */
async function weightOf({ page, platform }: Tab, home: string) {
  let foreign = 0
  const notice = (request: { url(): string }) => {
    const { protocol, origin } = new URL(request.url())
    // The badge of the icon is a blob of the page's own.
    if (protocol !== 'data:' && origin !== platform.origin) foreign += 1
  }
  page.on('request', notice)
  await paint(page, home)
  page.off('request', notice)
  const html = await (await fetch(home)).text()
  const paths = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path = '']) => path,
  )
  const kbOf = async (ending: string) => {
    let bytes = 0
    for (const path of paths.filter((one) => one.endsWith(ending))) {
      const answer = await fetch(platform.origin + path, { headers: { 'accept-encoding': 'br' } })
      bytes += Number(answer.headers.get('content-length'))
      await answer.body?.cancel()
    }
    return round(bytes / 1_000)
  }
  return { script_kb: await kbOf('.js'), style_kb: await kbOf('.css'), foreign }
}

async function requestsWhile(page: Page, ms: number): Promise<number> {
  // What follows the load of the page is over by then.
  await page.waitForTimeout(3_000)
  let requests = 0
  const notice = () => (requests += 1)
  page.on('request', notice)
  await page.waitForTimeout(ms)
  page.off('request', notice)
  return requests
}

const paintVerdict = (what: string, { p50_ms, p95_ms }: Summary, ms: number): Verdict => ({
  ...{ what, promise: `<= ${ms} ms`, measured: `p50 ${p50_ms} ms, p95 ${p95_ms} ms` },
  held: p95_ms <= ms,
})

const weightVerdict = (what: string, kb: number, most: number): Verdict => ({
  ...{ what, promise: `<= ${most} kB of brotli`, measured: `${kb} kB`, held: kb <= most },
})
