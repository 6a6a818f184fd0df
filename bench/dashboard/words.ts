import { setTimeout as sleep } from 'node:timers/promises'
import { summarise } from '../measure.ts'
import type { Verdict } from '../report.ts'
import type { Tab } from './tab.ts'

const promised = { glyph_ms: 100 }
const count = 400
const words = Array.from({ length: count }, (_, n) => `w${String(n).padStart(4, '0')}`)

/** The prompt, and what the written model says to it: words that are told apart, two in a delta. */
export const counting = { prompt: 'Count the words', say: `${words.join(' ')} ` }

/** Notes each word twice: when its bytes reach the page, and after the frame that has it in the conversation. */
const notes = `(() => {
  const arrived = new Map()
  const shown = new Map()
  window.svcWords = () => [...arrived].map(([word, at]) => [word, at, shown.get(word) ?? null])
  const note = (times, text) => {
    for (const [word] of text.matchAll(/w\\d{4}/g)) if (!times.has(word)) times.set(word, performance.now())
  }
  const ask = window.fetch
  window.fetch = async (...given) => {
    const answer = await ask(...given)
    if (!/\\/events/.test(String(given[0]?.url ?? given[0])) || answer.body === null) return answer
    const decoder = new TextDecoder()
    const noted = new TransformStream({
      transform(bytes, next) {
        note(arrived, decoder.decode(bytes, { stream: true }))
        next.enqueue(bytes)
      },
    })
    return new Response(answer.body.pipeThrough(noted), { status: answer.status, headers: answer.headers })
  }
  let waits = false
  const look = () => {
    if (waits) return
    waits = true
    requestAnimationFrame(() => setTimeout(() => {
      waits = false
      note(shown, document.querySelector('[role=log]')?.textContent ?? '')
    }))
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
})()`

/** From a delta in the page to its words in a frame, while an agent speaks. */
export async function streaming({ platform, page }: Tab) {
  const { client, origin } = platform
  const { project_id } = await client.projects.provision({ name: 'Words' })
  const { sessions } = client.projects
  const { session_id } = await sessions.create(project_id, {})
  await page.addInitScript(notes)
  await page.goto(`${origin}/dashboard/projects/${project_id}/sessions/${session_id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  while ((await sessions.get(project_id, session_id)).status !== 'running') await sleep(500)
  await sessions.prompt(project_id, session_id, { text: counting.prompt })
  await page
    .getByRole('log')
    .getByText(words.at(-1) ?? '')
    .waitFor({ timeout: 120_000 })
  await sleep(1_000)
  const seen = await page.evaluate<[string, number, number | null][]>('window.svcWords()')
  const spoken = seen.filter(([word]) => words.includes(word))
  const missing = spoken.filter(([, , shown]) => shown === null).length
  const glyph = summarise(spoken.map(([, arrived, shown]) => (shown ?? Infinity) - arrived))
  await sessions.stop(project_id, session_id)
  return {
    words: spoken.length,
    missing,
    glyph,
    verdicts: [
      {
        what: `a delta in the page to its words in a frame, ${spoken.length} words`,
        promise: `p95 <= ${promised.glyph_ms} ms`,
        measured: `p50 ${glyph.p50_ms} ms, p95 ${glyph.p95_ms} ms`,
        held: spoken.length === count && missing === 0 && glyph.p95_ms <= promised.glyph_ms,
      },
    ] satisfies Verdict[],
  }
}
