import { describe, expect, it } from 'vitest'
import { checkOptions } from '../check-options.ts'
import { endpointOf } from '../state/endpoint.ts'
import { createTurns } from '../cluster/in-turn.ts'
import { externalIdOf, externalIdOfName, nameOf } from './names.ts'

describe('the names of a sandbox', () => {
  it('are the same each time, and others for each deployment', () => {
    expect(externalIdOf('here', 'a')).toBe(externalIdOf('here', 'a'))
    expect(externalIdOf('here', 'a')).not.toBe(externalIdOf('there', 'a'))
    expect(externalIdOf('here', 'a')).not.toBe(externalIdOf('here', 'b'))
  })

  it('lead to each other', () => {
    const id = externalIdOf('here', 'a')
    expect(nameOf(id)).toMatch(/^sbx-[0-9a-f]{32}$/)
    expect(externalIdOfName(nameOf(id) ?? '')).toBe(id)
  })

  it.each(['', '../..', 'sbx_', 'sbx_../../../..', `sbx-${'0'.repeat(32)}`, `sbx_${'0'.repeat(33)}`])(
    'are no name for %j',
    (id) => {
      expect(nameOf(id)).toBeNull()
    },
  )
})

describe('where the daemon answers', () => {
  it.each([
    ['10.1.2.3', 'http://10.1.2.3:8000'],
    ['fd00::7', 'http://[fd00::7]:8000'],
  ])('at %s', (podIP, url) => {
    expect(endpointOf({ status: { podIP } })).toEqual({ url })
  })

  it('is nowhere without an address', () => {
    expect(endpointOf({ status: {} })).toBeNull()
  })
})

describe('settings that are refused', () => {
  const good = {
    deployment: 'here',
    image: 'i',
    platform: ['svc', '10.0.0.0/8', 'fd00::/8'],
    platform_ports: [7700],
  }

  it('takes namespaces and networks', () => {
    expect(() => checkOptions(good)).not.toThrow()
  })

  it.each([
    [{ platform: [] }, 'SVC_KUBERNETES_PLATFORM'],
    [{ platform: ['10.0.0.0/33'] }, '10.0.0.0/33'],
    [{ platform: ['10.0.0.0/8/8'] }, '10.0.0.0/8/8'],
    [{ platform: ['10.0.0.0/'] }, '10.0.0.0/'],
    [{ platform: ['Not A Name'] }, 'Not A Name'],
    [{ platform_ports: [] }, 'SVC_KUBERNETES_PLATFORM_PORTS'],
    [{ image: '' }, 'SVC_KUBERNETES_IMAGE'],
    [{ deployment: '-here' }, 'SVC_DEPLOYMENT'],
  ])('%j names %s', (change, words) => {
    expect(() => checkOptions({ ...good, ...change })).toThrow(words)
  })
})

describe('turns', () => {
  it('run what belongs to one key one after another, also after a failure', async () => {
    const inTurn = createTurns()
    const seen: string[] = []
    let release = () => undefined as void
    const gate = new Promise<void>((resolve) => (release = resolve))
    const first = inTurn('a', async () => {
      await gate
      seen.push('first')
      throw new Error('first')
    })
    const second = inTurn('a', async () => seen.push('second'))
    await inTurn('b', async () => seen.push('other'))
    release()
    await expect(first).rejects.toThrow('first')
    await second
    expect(seen).toEqual(['other', 'first', 'second'])
  })
})
