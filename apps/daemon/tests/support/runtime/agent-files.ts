import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bash, type RuntimeTests } from './runtime-tests.ts'

/** The say of an agent's files on its model, its instructions and what it may do. */
export function testAgentFiles({ dialect, sandbox, asked, testOf, lacks }: RuntimeTests): void {
  testOf('agent files')('the model is the prompt’s, else the agent’s, else the gateway’s first', async () => {
    const { model } = sandbox()
    const used = async (more: object) => {
      const end = await sandbox().turnEnd(await sandbox().prompt('which model', more))
      expect(end.status).toBe('completed')
      return model.requests.at(-1)?.model
    }
    expect(await used({})).toBe('scripted-model')
    if (!lacks('a choice of models')) {
      expect(await used({ agent: 'reviewer' })).toBe('vendor/agent-model')
      expect(await used({ agent: 'reviewer', model: 'other-model' })).toBe('other-model')
    }
    expect(await used({ agent: 'nobody' })).toBe('scripted-model')
    const unknown = await sandbox().turnEnd(await sandbox().prompt('and you', { model: 'svc/no-such-model' }))
    expect(unknown).toMatchObject({ status: 'error' })
    expect(unknown.error).toContain('no-such-model')
  })

  testOf('agent files')(
    'the agent’s own file, the instructions, AGENTS.md and its skills reach the model',
    async () => {
      await sandbox().turnEnd(await sandbox().prompt('what do you know'))
      const known = asked()
      expect(known).toContain('You write code in the house style.')
      expect(known).toContain('Never merge, close or approve your own change request')
      // A program of a project’s own has its own ways.
      if (!lacks('system prompts')) expect(known).toContain('The repository asks for short lines.')
      const offered = JSON.stringify(sandbox().model.requests.at(-1))
      expect(offered).toContain('release-notes')
      expect(offered).not.toContain('other-skill')
      await sandbox().turnEnd(await sandbox().prompt('and you', { agent: 'reviewer' }))
      expect(asked()).toContain('You only read.')
      if (!lacks('system prompts')) expect(asked()).not.toContain('You write code in the house style.')
    },
  )

  testOf('agent files')('what an agent’s file forbids is not done', async () => {
    // A program that asks for nothing is held back by its sandbox alone.
    if (lacks('asks')) return
    const { model, workspace } = sandbox()
    const forbidden = join(workspace, 'forbidden.txt')
    model.on('write anyway', [
      { tool: dialect.write(forbidden, 'x') },
      bash(`touch ${forbidden}`),
      { text: 'tried' },
    ])
    const end = await sandbox().turnEnd(await sandbox().prompt('write anyway', { agent: 'reviewer' }))
    expect(end.status).toBe('completed')
    expect(existsSync(forbidden)).toBe(false)
  })
}
