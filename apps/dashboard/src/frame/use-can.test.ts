import { expect, test } from 'vitest'
import { refusalOf } from './use-can.ts'

test('what the caller holds is not refused; else the role or the token is named, and the way on', () => {
  const viewer = { project_role: 'viewer', capabilities: ['project.read'] } as const
  const token = { project_role: 'manager', capabilities: ['project.read'] } as const
  const asked = (held: typeof viewer | typeof token) =>
    refusalOf({ ...held, capabilities: [...held.capabilities] }, 'project.delete')
  expect(refusalOf({ ...viewer, capabilities: ['project.read'] }, 'project.read')).toBeNull()
  expect(asked(viewer)).toBe(
    'This needs project.delete, which your role viewer does not hold here: ask a manager of the project.',
  )
  expect(asked(token)).toBe('This needs project.delete, which this token does not hold: sign in as a person.')
})
