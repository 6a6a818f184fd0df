import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crashPoints } from '../support/acp-agent/settings.ts'
import { acpSandbox, agentOf, oncePath, permitAll, problemsOf, saidBy } from '../support/acp-sandbox.ts'
import { isRunning } from '../support/processes.ts'
import { bash } from '../support/runtime/runtime-tests.ts'

/** Deaths of which nothing of the turn was heard: the next prompt says so, and that some of it may be done. */
const unheard = ['before_answer', 'untold_tool']
const cut = [...unheard, 'in_text', 'in_tool', 'in_permission']

test.each(crashPoints)('an agent that dies at %s loses no prompt, and none is run twice', async (point) => {
  const once = oncePath()
  const sandbox = await acpSandbox('127.41.1.1', { fault: { crash: point, once } })
  const { model } = sandbox
  model.on('and now?', [{ text: 'Here I am.' }])
  model.on('do it', [
    { ...(unheard.includes(point) ? {} : { text: 'I begin. ' }), ...bash('echo ran >> ran.txt') },
    bash('touch asked-one.txt'),
    { text: 'It is done.' },
  ])
  await sandbox.ready()
  permitAll(sandbox)
  const prompt_id = await sandbox.prompt('do it')
  const next = await sandbox.prompt('and now?')
  const { status } = await sandbox.turnEnd(prompt_id)
  const isCut = cut.includes(point)
  // One that dies right after its answer may do so before the platform took the answer in.
  expect(isCut ? ['interrupted'] : ['completed', 'interrupted']).toContain(status)
  expect(await sandbox.turnEnd(next)).toMatchObject({ status: 'completed' })
  expect(existsSync(once)).toBe(true)
  const known = JSON.stringify(model.requests.at(-1)?.messages)
  expect(known).toContain('do it')
  expect(known.includes('some may be done')).toBe(unheard.includes(point))
  const said = saidBy(sandbox)
  expect(said.filter((text) => text === 'It is done.')).toHaveLength(isCut ? 0 : 1)
  expect(said.filter((text) => text === 'Here I am.')).toHaveLength(1)
  if (point === 'untold_tool') expect(readFileSync(join(sandbox.workspace, 'ran.txt'), 'utf8')).toBe('ran\n')
  expect(problemsOf(sandbox)).toEqual([])
  expect(isRunning(await agentOf(sandbox))).toBe(true)
})
