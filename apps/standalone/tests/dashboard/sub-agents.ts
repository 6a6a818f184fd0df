import { expect, test } from 'vitest'
import { awaitTurn, bash, script } from '../support/sessions/agent.ts'
import { at, platform, project, watched } from './world.ts'

/** An agent that has another one do a task. */
export function testSubAgents(): void {
  const page = () => watched.page

  test('what a sub-agent does is folded in the call that began it, and is no turn of its own', async () => {
    const { sessions } = platform.client.projects
    const { project_id } = project
    // There is room for one.
    const { items } = await sessions.list(project_id)
    for (const { session_id, status } of items)
      if (!['stopped', 'failed'].includes(status)) await sessions.stop(project_id, session_id)
    const prompt = script(bash('echo from-within'))
    const task = { tool: 'task', input: { description: 'Look around', prompt, subagent_type: 'general' } }
    const session = await sessions.create(project_id, { initial_prompt: script(task), agent_name: 'helper' })
    await page().goto(at(`/sessions/${session.session_id}`))
    const turn = await awaitTurn(platform.client, session)
    expect(turn).toMatchObject({ status: 'completed', error: null })
    page().setDefaultTimeout(15_000)
    const call = page().getByRole('group', { name: 'task completed' })
    await call.getByRole('button', { name: 'task' }).click()
    await call.getByText('Sub-agent: 1 call').waitFor()
    const inner = page()
      .getByRole('group', { name: 'Sub-agent' })
      .getByRole('group', { name: 'bash completed' })
    expect(await inner.count()).toBe(0)
    await call.getByText('Sub-agent: 1 call').click()
    await inner.getByRole('button', { name: 'bash' }).click()
    await inner.getByRole('group', { name: 'Output' }).getByText('from-within').waitFor()
    expect(await page().getByRole('log').getByRole('article').count()).toBe(3)
    page().setDefaultTimeout(60_000)
    await sessions.stop(project_id, session.session_id)
  })
}
