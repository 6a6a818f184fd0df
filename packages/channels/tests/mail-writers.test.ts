import { addMember, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { decideChannelDelivery, linkChannelSender, listChannelDeliveries } from '../src/index.ts'
import { openMailStage } from './mail-support.ts'
import { answerTurn } from './support.ts'

const world = await openWorld({ session_cap: 500 })

test('what another writes waits for the person who began, who is written to and decides on the page', async () => {
  const stage = await openMailStage(world)
  const { owner, project_id } = stage.project
  await stage.link(owner)
  await stage.deliver({ text: 'Begin' })
  await stage.run()
  const [session] = await stage.sessionsHere()
  const session_id = session?.session_id ?? ''
  const [prompt] = await stage.prompts(session_id)
  await answerTurn(stage, { session_id, prompt_id: prompt?.prompt_id ?? '' }, 'Done')
  await stage.run()
  const to = stage.replyTo()
  const from = 'Bob <bob@example.org>'
  const bob = await addMember(world, stage.project, 'editor')
  await stage.deliver({ from, to, text: 'And in blue' })
  await stage.run()
  const [, token = ''] = /#token=([\w-]+)/.exec(stage.sink.mails.at(-1)?.text ?? '') ?? []
  await linkChannelSender(stage.asPerson(bob), { token })
  await stage.run()
  expect((await stage.verdicts()).at(-1)).toEqual(['asked', 'owner_asked'])
  const asked = stage.sink.mails.at(-1)
  expect(asked).toMatchObject({ to: { value: [{ address: 'ada@example.org' }] } })
  expect(asked?.text).toMatch(/Answers: Allow · Always this person · Deny/)
  expect(asked?.text).toContain(
    `/dashboard/projects/${project_id}/channels/svc_email?tab=received&verdict=asked`,
  )
  const place = { project_id, slug: 'svc_email' }
  const { deliveries } = await listChannelDeliveries(stage.asPerson(owner), { ...place, limit: 1 })
  const delivery_id = deliveries[0]?.delivery_id ?? ''
  const decide = (person: typeof owner, decision: 'always' | 'deny') =>
    decideChannelDelivery(stage.asPerson(person), { ...place, delivery_id, decision })
  await expect(decide(bob, 'always')).rejects.toMatchObject({ code: 'forbidden' })
  expect(await decide(owner, 'always')).toMatchObject({ verdict: 'pending' })
  await expect(decide(owner, 'deny')).rejects.toMatchObject({ code: 'ASK_NOT_PENDING' })
  await stage.run()
  expect((await stage.verdicts()).at(-1)).toEqual(['accepted', null])
  await stage.deliver({ from, to, text: 'And in green' })
  await stage.run()
  expect((await stage.verdicts()).at(-1)).toEqual(['accepted', null])
  expect(await stage.prompts(session_id)).toHaveLength(3)
})
