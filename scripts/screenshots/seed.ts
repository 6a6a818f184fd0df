import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ProvisionedProject, SessionSummary } from '@svc/sdk'
import { fund, priceModel } from './money.ts'
import type { BuiltPlatform } from './platform.ts'
import { push, shipping, shop } from './repository.ts'
import { prompts } from './story.ts'

export interface Seeded {
  readonly project: ProvisionedProject
  readonly account_id: string
  /** The sessions by the name of their prompt. */
  readonly sessions: Readonly<Record<keyof typeof prompts, string>>
}

const pollMs = 500
const maxMs = 600_000

/** Work in every state that a person meets, made by the same calls that they make. */
export async function seed(platform: BuiltPlatform): Promise<Seeded> {
  const { client, token, origin } = platform
  const project = await client.projects.provision({ name: 'Checkout service' })
  const pricing = await client.projects.provision({ name: 'Pricing' })
  const { project_id, account_id } = project
  await priceModel(platform)
  await fund(platform, account_id)
  await push(project.repo_url, token, shop)
  await push(project.repo_url, token, [shipping])
  await client.projects.secrets.set(project_id, 'HOOK_SECRET', 'not-a-real-secret')
  const begin = async (of: keyof typeof prompts, in_project = project_id, agent_name?: string) => {
    const { session_id } = await client.projects.sessions.create(in_project, {
      initial_prompt: prompts[of],
      ...(agent_name === undefined ? {} : { agent_name }),
    })
    return session_id
  }
  const discounts = await begin('discounts')
  await until(client, project_id, discounts, 'idle')
  const receipts = await begin('receipts')
  await until(client, project_id, receipts, 'idle')
  await client.projects.sessions.stop(project_id, receipts)
  await client.projects.changeRequests.create(project_id, {
    title: 'Ship for free from 30 on',
    head_ref: 'free-shipping',
    description: 'More people finish a cart that ships for free.',
  })
  await client.projects.triggers.fire(project_id, 'nightly')
  await deliver(origin, project_id, { reason: 'card declined' }, 'not-a-real-secret')
  await deliver(origin, project_id, { reason: 'card declined' }, 'another secret')
  const currency = await begin('currency', pricing.project_id)
  const cards = await begin('cards', project_id, 'careful')
  const search = await begin('search')
  await until(client, pricing.project_id, currency, 'waiting')
  await until(client, project_id, cards, 'waiting')
  await until(client, project_id, search, 'working')
  return {
    project,
    account_id,
    sessions: { discounts, receipts, currency, cards, search },
  }
}

/** Returns once the list of the project has the session in this state. */
async function until(
  client: Client,
  project_id: string,
  session_id: string,
  state: SessionSummary['state'],
): Promise<void> {
  const ends = Date.now() + maxMs
  for (;;) {
    const { sessions } = await client.projects.sessions.summaries(project_id, {})
    const found = sessions.find((one) => one.session_id === session_id)
    if (found?.state === state && found.phrase !== 'Starting') return
    if (found?.state === 'failed' || Date.now() > ends)
      throw new Error(`The session is ${found?.state ?? 'gone'}, not ${state}: ${found?.phrase ?? ''}`)
    await sleep(pollMs)
  }
}

async function deliver(origin: string, project_id: string, body: object, secret: string): Promise<void> {
  const text = JSON.stringify(body)
  await fetch(`${origin}/v1/webhooks/projects/${project_id}/orders`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-signature': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
    },
    body: text,
  })
}
