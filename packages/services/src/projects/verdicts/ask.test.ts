import { setImmediate } from 'node:timers/promises'
import { readManifest } from '@svc/manifest'
import { afterAll, expect, test } from 'vitest'
import { ask, closeVerdicts, inlineBytes } from './ask.ts'

afterAll(closeVerdicts)

/** 589 kB and 60,000 keys: below the size that is refused unread. */
const hostile = `svc_version: 2\n${Array.from({ length: 60_000 }, (_, index) => `k${index}: 1\n`).join('')}`

/** The turns that the event loop takes while `work` is under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let ended = false
  const end = work.finally(() => (ended = true))
  let turns = 0
  while (!ended) {
    await setImmediate()
    turns += 1
  }
  await end
  return turns
}

test('a manifest of 60,000 keys is judged while the process goes on with everything else', async () => {
  const file = { path: 'svc.yaml', text: hostile } as const
  await ask('read', file, hostile.length)
  const three = Array.from({ length: 3 }, () => ask('read', file, hostile.length))
  const beside = await turnsDuring(Promise.all(three))
  const inline = await turnsDuring(
    (async () => {
      for (let one = 0; one < 3; one += 1) readManifest(file)
    })(),
  )
  expect(inline).toBeLessThan(5)
  expect(beside).toBeGreaterThan(20 * inline)
})

test('invariant 9: the verdict is the same wherever it is given', async () => {
  const long = `${'#'.repeat(inlineBytes)}\nsvc_version: 2\ndefault_agent: a\nagents: { a: { secrets: 5 } }\n`
  const broken = hostile.slice(0, 2 * inlineBytes)
  for (const text of [long, broken]) {
    const file = { path: 'svc.yaml', text } as const
    expect(await ask('read', file, text.length)).toEqual(readManifest(file))
  }
  const agent = `---\nmodel: acme/great\n---\n${'x'.repeat(inlineBytes)}`
  expect(await ask('agent_wishes', { text: agent }, agent.length)).toMatchObject({ model: 'acme/great' })
})

test('what is short is judged where it was read', async () => {
  let other = 0
  const file = { path: 'svc.yaml', text: 'svc_version: 2' } as const
  const answer = ask('read', file, file.text.length).then((reading) => [reading, other])
  void setImmediate().then(() => (other += 1))
  expect(await answer).toEqual([readManifest(file), 0])
})
